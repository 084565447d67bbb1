import type { FileUIPart } from 'ai';
import { newIdempotencyKey } from 'perdure-client';
import { useSyncExternalStore } from 'react';
import { storageKeys } from '../data/storageKeys.ts';
import { KEPT_FILES } from './keptFiles.ts';

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

const readers = new Set<() => void>();
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

function read(key: string): readonly OutboxMessage[] {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const stored = sessionStorage.getItem(key);
  const messages = stored === null ? NOTHING : (JSON.parse(stored) as OutboxMessage[]);
  known.set(key, messages);
  return messages;
}

/** Those that a browser keeps beyond a reload: it has no room for files. */
export const withoutFiles = (messages: readonly OutboxMessage[]) => messages.filter(({ files }) => files === undefined);

/**
 * Messages of a task in their order. They outlive a reload of the page, in this tab alone: another tab would send them too.
 * Those with files do not.
 */
export function changeOutbox(agentId: string, taskId: string, change: OutboxChange): void {
  const key = keyOf(agentId, taskId);
  const messages = change(read(key));
  known.set(key, messages);
  const lasting = withoutFiles(messages);
  if (lasting.length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(lasting));
  for (const changed of readers) changed();
}

/** When a session ends: who logs in next must not send what somebody else wrote. */
export function forgetOutboxes(): void {
  known.clear();
  KEPT_FILES.clear();
  for (const key of storageKeys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  for (const key of storageKeys(localStorage)) if (key.endsWith(`/left:${tabName()}`)) localStorage.removeItem(key);
  for (const changed of readers) changed();
}

export function useOutbox(agentId: string, taskId: string): readonly OutboxMessage[] {
  const key = keyOf(agentId, taskId);
  return useSyncExternalStore(
    (changed) => {
      readers.add(changed);
      return () => readers.delete(changed);
    },
    () => read(key),
  );
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
