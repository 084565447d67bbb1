import { useQuery } from '@tanstack/react-query';
import type { UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import { keepDraft, leftMessagesPlace, readDraft } from '../data/drafts.ts';
import { ME } from '../data/me.ts';
import { personId } from '../data/personId.ts';
import { storageKeys } from '../data/storageKeys.ts';
import { hold, ifLeft } from './draftLock.ts';
import { type OutboxChange, type OutboxMessage, tabName, withoutFiles } from './outbox.ts';

/** Held until this tab is gone: what it has not sent is its own, on whatever page of it. */
const held = new Set<string>();

/**
 * Keeps what this tab has not sent, so that it is not lost with the tab, and takes over what tabs that are gone have left. That
 * waits for the person: the conversation may have gone on without it.
 */
export function useLeftMessages(
  agentId: string,
  taskId: string,
  /** What the task has. */
  messages: readonly UIMessage[],
  outbox: readonly OutboxMessage[],
  change: (how: OutboxChange) => void,
): void {
  const arrived = useRef(messages);
  arrived.current = messages;
  const { data: me } = useQuery(ME);
  const place = me === undefined ? undefined : leftMessagesPlace(personId(me), agentId, taskId);
  useEffect(() => {
    if (place === undefined) return;
    const own = place + tabName();
    if (!held.has(own)) hold(own);
    held.add(own);
    for (const key of storageKeys(localStorage)) {
      if (key.startsWith(place) && key !== own)
        void ifLeft(key, () => change((given) => [...given, ...taken(key, [...given, ...arrived.current])]));
    }
  }, [place, change]);
  useEffect(() => {
    if (place === undefined) return;
    const own = place + tabName();
    const lasting = withoutFiles(outbox);
    if (lasting.length === 0) localStorage.removeItem(own);
    else keepDraft(localStorage, own, { messages: lasting }, Date.now());
  }, [place, outbox]);
}

/** Those that are not known by their ids: the task may have them, and a copy of a tab has what the first one has. */
function taken(key: string, known: readonly { id: string }[]): OutboxMessage[] {
  const left = (readDraft(localStorage, key, Date.now())?.given.messages ?? []) as OutboxMessage[];
  localStorage.removeItem(key);
  return left
    .filter(({ id }) => known.every((each) => each.id !== id))
    .map((each) => ({ ...each, state: 'held' as const }));
}
