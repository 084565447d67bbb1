import type { FileUIPart } from 'ai';
import { newIdempotencyKey } from 'perdure-client';
import { useSyncExternalStore } from 'react';
import { newReaders } from '../../ui/load/readers.ts';
import { keysWith, STORED, tabTexts, whenPersonLeaves } from '../storage/browserStorage.ts';
import { filesOf, keepFiles } from '../storage/keptFiles.ts';

/**
 * A message to an agent that its task may not have yet. `settled` and `moved` change its state:
 *
 *     waiting --sending--> sent --arrived--> (removed)
 *     waiting <--unanswered-- sent --refused--> held --retry--> waiting
 *
 * `waiting`: for the end of a turn. `sent`: until the task contains it. `held`: for the person, who retries or cancels.
 */
export interface OutboxMessage {
  /** The API stores a message once per id. */
  id: string;
  text: string;
  files?: readonly FileUIPart[];
  state: 'waiting' | 'sent' | 'held';
}

const NEXT = { sending: 'sent', unanswered: 'waiting', refused: 'held', retry: 'waiting' } as const;

export function moved(
  messages: readonly OutboxMessage[],
  id: string,
  event: keyof typeof NEXT | 'arrived' | 'canceled',
): readonly OutboxMessage[] {
  if (event === 'arrived' || event === 'canceled') return messages.filter((each) => each.id !== id);
  return messages.map((each) => (each.id === id ? { ...each, state: NEXT[event] } : each));
}

export const firstWaiting = (messages: readonly OutboxMessage[]): OutboxMessage | undefined =>
  messages.find(({ state }) => state === 'waiting');

export function newMessage(text: string, files: readonly FileUIPart[] = []): OutboxMessage {
  return { id: newIdempotencyKey(), text, ...(files.length === 0 ? {} : { files }), state: 'waiting' };
}

export type OutboxChange = (messages: readonly OutboxMessage[]) => readonly OutboxMessage[];

const readers = newReaders();
const known = new Map<string, readonly OutboxMessage[]>();
const NOTHING: readonly OutboxMessage[] = [];

const PREFIX = STORED.outbox.key;
const keyOf = (agentId: string, taskId: string) => `${PREFIX}${agentId} ${taskId}`;

/** A message in the text storage; its files are stored separately, under `filesKey`. */
export interface StoredMessage extends Omit<OutboxMessage, 'files'> {
  hasFiles?: true;
}

export const filesKey = (messageId: string) => `message ${messageId}`;

export const stored = (messages: readonly OutboxMessage[]): StoredMessage[] =>
  messages.map(({ files, ...message }) => (files === undefined ? message : { ...message, hasFiles: true }));

/** The inverse of `stored`. Drops a message whose files are lost: without them it is not what the person wrote. */
export function restored({ hasFiles, ...message }: StoredMessage): OutboxMessage[] {
  if (hasFiles === undefined) return [message];
  const files = filesOf(filesKey(message.id));
  return files.length === 0 ? [] : [{ ...message, files }];
}

function read(key: string): readonly OutboxMessage[] {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const text = tabTexts().getItem(key);
  const messages = text === null ? NOTHING : (JSON.parse(text) as StoredMessage[]).flatMap(restored);
  known.set(key, messages);
  return messages;
}

/** Changes the messages of a task, in sending order. They survive a reload of this tab. Call `openKeptFiles` before. */
export function changeOutbox(agentId: string, taskId: string, change: OutboxChange): void {
  const key = keyOf(agentId, taskId);
  const before = read(key);
  const messages = change(before);
  known.set(key, messages);
  if (messages.length === 0) tabTexts().removeItem(key);
  else tabTexts().setItem(key, JSON.stringify(stored(messages)));
  keepFilesOf(messages, before);
  readers.say();
}

function keepFilesOf(messages: readonly OutboxMessage[], before: readonly OutboxMessage[]): void {
  const has = (all: readonly OutboxMessage[], id: string) => all.some((each) => each.id === id);
  for (const { id, files } of messages) {
    if (files !== undefined && !has(before, id)) void keepFiles(filesKey(id), files);
  }
  for (const { id, files } of before) {
    if (files !== undefined && !has(messages, id)) void keepFiles(filesKey(id), []);
  }
}

export const outboxOf = (agentId: string, taskId: string): readonly OutboxMessage[] => read(keyOf(agentId, taskId));

export const outboxTasks = (): { agentId: string; taskId: string }[] =>
  keysWith(tabTexts(), PREFIX).map((key) => {
    const [agentId = '', ...taskId] = key.slice(PREFIX.length).split(' ');
    return { agentId, taskId: taskId.join(' ') };
  });

whenPersonLeaves(() => {
  known.clear();
  readers.say();
});

export function useOutbox(agentId: string, taskId: string): readonly OutboxMessage[] {
  const key = keyOf(agentId, taskId);
  return useSyncExternalStore(readers.subscribe, () => read(key));
}

/**
 * Settles the outbox after a read of the task: sent messages that did not arrive wait again, or are held if refused.
 */
export function settled(
  messages: readonly OutboxMessage[],
  arrived: ReadonlySet<string>,
  isRefused: boolean,
): readonly OutboxMessage[] {
  const open = messages.filter(({ id }) => !arrived.has(id));
  if (open.length === messages.length && open.every(({ state }) => state !== 'sent')) return messages;
  return open.map((each) => (each.state === 'sent' ? { ...each, state: isRefused ? 'held' : 'waiting' } : each));
}
