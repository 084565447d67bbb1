import type { components } from 'perdure-client';
import type { Given } from '../../ui/form/fieldValues.ts';
import { storageKeys } from './storageKeys.ts';

type Field = components['schemas']['Field'];

/** What of `localStorage` is needed. */
export type Texts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface Draft {
  /** When it was written, in milliseconds since the epoch. */
  at: number;
  given: Given;
}

const PREFIX = 'draft:';
/** A browser keeps what was written and not sent, or not saved, for so long. */
export const KEPT_MS = 30 * 86_400_000;

/** Of one person: others who use this browser do not see it. */
export const draftKey = (userId: string, executionId: string, stepId: string) =>
  `${PREFIX}${userId}:${executionId}/${stepId}`;

/** Of one person, too: what they write to an agent, in a task or as the first message of another one. */
export const messageDraftKey = (userId: string, agentId: string, taskId: string | undefined) =>
  `${PREFIX}${userId}:${agentId}/${taskId === undefined ? 'new' : `task/${taskId}`}`;

/** Of one person, too: what they have chosen of the answers that a task waits for. The chat sends the last one that is chosen, the inbox does not. */
export const answersDraftKey = (userId: string, agentId: string, taskId: string, place: 'chat' | 'inbox') =>
  `${messageDraftKey(userId, agentId, taskId)}/answers/${place}`;

/** Of one person, too: where each tab keeps what it has not sent of a task, under a name of its own. */
export const leftMessagesPlace = (userId: string, agentId: string, taskId: string) =>
  `${messageDraftKey(userId, agentId, taskId)}/left:`;

/** Undefined where there is none, or it is older than 30 days. */
export function readDraft(texts: Texts, key: string, now: number): Draft | undefined {
  const text = texts.getItem(key);
  if (text === null) return undefined;
  try {
    const draft = JSON.parse(text) as Draft;
    return typeof draft.at === 'number' && now - draft.at < KEPT_MS ? draft : undefined;
  } catch {
    // Written by something else: as if there were none.
    return undefined;
  }
}

/** Keeps what was written; never what is secret. */
export function writeDraft(texts: Texts, key: string, fields: readonly Field[], given: Given, now: number): void {
  const open = fields.filter(({ type }) => type !== 'secret').map(({ key: name }) => [name, given[name]]);
  keepDraft(texts, key, Object.fromEntries(open), now);
}

export function keepDraft(texts: Texts, key: string, given: Given, now: number): void {
  const draft: Draft = { at: now, given };
  try {
    texts.setItem(key, JSON.stringify(draft));
  } catch (error) {
    // A browser whose storage is full keeps no drafts; the form works.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Removes drafts that nobody came back to. */
export function dropOldDrafts(texts: Texts, now: number): void {
  for (const key of storageKeys(texts)) {
    if (key.startsWith(PREFIX) && readDraft(texts, key, now) === undefined) texts.removeItem(key);
  }
}
