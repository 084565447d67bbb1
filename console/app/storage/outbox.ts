import type { FileUIPart } from 'ai';
import { newIdempotencyKey } from 'perdure-client';
import { useSyncExternalStore } from 'react';
import { newReaders } from '../../ui/load/readers.ts';
import { filesOf, forgetFiles, keepFiles } from './keptFiles.ts';
import { storageKeys } from './storageKeys.ts';

/** A message that was written, and that the task may not have yet. */
export interface OutboxMessage {
  /** Of the message; the API keeps it under this id, once. */
  id: string;
  text: string;
  files?: readonly FileUIPart[];
  /** `waiting`: for the end of a turn. `sent`: until the task is seen to have it. `held`: it was refused, and waits for the person. */
  state: 'waiting' | 'sent' | 'held';
}

/** One that goes as soon as the task takes it. */
export function newMessage(text: string, files: readonly FileUIPart[] = []): OutboxMessage {
  return { id: newIdempotencyKey(), text, ...(files.length === 0 ? {} : { files }), state: 'waiting' };
}

export type OutboxChange = (messages: readonly OutboxMessage[]) => readonly OutboxMessage[];

const readers = newReaders();
const known = new Map<string, readonly OutboxMessage[]>();
const NOTHING: readonly OutboxMessage[] = [];

const TAB = 'tab';

/** The name of this tab, also after a reload. */
export function tabName(): string {
  const name = sessionStorage.getItem(TAB) ?? newIdempotencyKey();
  sessionStorage.setItem(TAB, name);
  return name;
}

const PREFIX = 'outbox ';
const keyOf = (agentId: string, taskId: string) => `${PREFIX}${agentId} ${taskId}`;

/** A message as `sessionStorage` and `localStorage` have it: its files are kept beside, under `filesKey`. */
export interface StoredMessage extends Omit<OutboxMessage, 'files'> {
  hasFiles?: true;
}

export const filesKey = (messageId: string) => `message ${messageId}`;

export const stored = (messages: readonly OutboxMessage[]): StoredMessage[] =>
  messages.map(({ files, ...message }) => (files === undefined ? message : { ...message, hasFiles: true }));

/** The other way. None where its files are not kept: nobody means a message without them. */
export function restored({ hasFiles, ...message }: StoredMessage): OutboxMessage[] {
  if (hasFiles === undefined) return [message];
  const files = filesOf(filesKey(message.id));
  return files.length === 0 ? [] : [{ ...message, files }];
}

function read(key: string): readonly OutboxMessage[] {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const text = sessionStorage.getItem(key);
  const messages = text === null ? NOTHING : (JSON.parse(text) as StoredMessage[]).flatMap(restored);
  known.set(key, messages);
  return messages;
}

/**
 * Messages of a task in their order. They outlive a reload of the page, in this tab alone: another tab would send them too.
 * Kept files must have been opened.
 */
export function changeOutbox(agentId: string, taskId: string, change: OutboxChange): void {
  const key = keyOf(agentId, taskId);
  const before = read(key);
  const messages = change(before);
  known.set(key, messages);
  if (messages.length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(stored(messages)));
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

/** The tasks for which this tab has messages, also such as were written before a reload. */
export const outboxTasks = (): { agentId: string; taskId: string }[] =>
  storageKeys(sessionStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => {
      const [agentId = '', ...taskId] = key.slice(PREFIX.length).split(' ');
      return { agentId, taskId: taskId.join(' ') };
    });

/** When a session ends: who logs in next must not send what somebody else wrote. */
export function forgetOutboxes(): void {
  known.clear();
  void forgetFiles();
  for (const key of storageKeys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  for (const key of storageKeys(localStorage)) if (key.endsWith(`/left:${tabName()}`)) localStorage.removeItem(key);
  readers.say();
}

export function useOutbox(agentId: string, taskId: string): readonly OutboxMessage[] {
  const key = keyOf(agentId, taskId);
  return useSyncExternalStore(readers.subscribe, () => read(key));
}

/**
 * The outbox beside what the task has: what arrived leaves it; what was sent and did not arrive, since another turn ran or the
 * API was away, waits again, or for the person where it was refused.
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
