import type { components } from 'perdure-client';
import { KEPT_MS, keysWith, STORED, type Texts, writeIfRoom } from './browserStorage.ts';

type Given = Record<string, unknown>;
type Field = components['schemas']['Field'];

export interface Draft {
  /** Epoch milliseconds. */
  at: number;
  given: Given;
}

const PREFIX = STORED.drafts.key;

export const draftKey = (userId: string, executionId: string, stepId: string) =>
  `${PREFIX}${userId}:${executionId}/${stepId}`;

/** The key of a person's message to an agent, in a task or as the first message of a new one. */
export const messageDraftKey = (userId: string, agentId: string, taskId: string | undefined) =>
  `${PREFIX}${userId}:${agentId}/${taskId === undefined ? 'new' : `task/${taskId}`}`;

/** The key of chosen answers to a task's calls. Chat and inbox differ: the chat sends them at the last choice. */
export const answersDraftKey = (userId: string, agentId: string, taskId: string, place: 'chat' | 'inbox') =>
  `${messageDraftKey(userId, agentId, taskId)}/answers/${place}`;

/** The prefix of a task's unsent messages; each tab appends its name. */
export const leftMessagesPlace = (userId: string, agentId: string, taskId: string) =>
  `${messageDraftKey(userId, agentId, taskId)}/left:`;

/** Undefined if there is none, or it is older than 30 days. */
export function readDraft(texts: Texts, key: string, now: number): Draft | undefined {
  const text = texts.getItem(key);
  if (text === null) return undefined;
  try {
    const draft = JSON.parse(text) as Draft;
    return typeof draft.at === 'number' && now - draft.at < KEPT_MS ? draft : undefined;
  } catch {
    // Something else wrote it.
    return undefined;
  }
}

export function writeDraft(texts: Texts, key: string, fields: readonly Field[], given: Given, now: number): void {
  const open = fields.filter(({ type }) => type !== 'secret').map(({ key: name }) => [name, given[name]]);
  keepDraft(texts, key, Object.fromEntries(open), now);
}

export function keepDraft(texts: Texts, key: string, given: Given, now: number): void {
  const draft: Draft = { at: now, given };
  writeIfRoom(texts, key, JSON.stringify(draft));
}

export function dropOldDrafts(texts: Texts, now: number): void {
  for (const key of keysWith(texts, PREFIX)) {
    if (readDraft(texts, key, now) === undefined) texts.removeItem(key);
  }
}
