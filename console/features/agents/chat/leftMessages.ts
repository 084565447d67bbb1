import { useQuery } from '@tanstack/react-query';
import type { UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import { ME } from '../../../app/api/me.ts';
import {
  filesKey,
  type OutboxChange,
  type OutboxMessage,
  restored,
  type StoredMessage,
  stored,
} from '../../../app/delivery/outbox.ts';
import { browserTexts, keysWith, tabName } from '../../../app/storage/browserStorage.ts';
import { keepDraft, leftMessagesPlace, readDraft } from '../../../app/storage/drafts.ts';
import { readFiles } from '../../../app/storage/keptFiles.ts';
import { personId } from '../../../app/storage/personId.ts';
import { hold, ifLeft } from '../../../app/storage/sharedDraft.ts';

/** Locks of this tab, held until it is closed: its unsent messages belong to it on each of its pages. */
const held = new Set<string>();

/**
 * Stores this tab's unsent messages and takes over those of closed tabs. The latter are held for the person, because
 * the conversation may have continued without them.
 */
export function useLeftMessages(
  agentId: string,
  taskId: string,
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
    for (const key of keysWith(browserTexts(), place)) {
      if (key !== own)
        void ifLeft(key, async () => {
          const left = await taken(key);
          change((given) => [...given, ...unknown(left, [...given, ...arrived.current])]);
          browserTexts().removeItem(key);
        });
    }
  }, [place, change]);
  useEffect(() => {
    if (place === undefined) return;
    const own = place + tabName();
    if (outbox.length === 0) browserTexts().removeItem(own);
    else keepDraft(browserTexts(), own, { messages: stored(outbox) }, Date.now());
  }, [place, outbox]);
}

async function taken(key: string): Promise<OutboxMessage[]> {
  const left = (readDraft(browserTexts(), key, Date.now())?.given.messages ?? []) as StoredMessage[];
  await Promise.all(left.filter(({ hasFiles }) => hasFiles).map(({ id }) => readFiles(filesKey(id))));
  return left.flatMap(restored).map((each) => ({ ...each, state: 'held' as const }));
}

/** Skips messages with known ids: the task may have them, and a duplicated tab has the messages of the first one. */
const unknown = (left: readonly OutboxMessage[], known: readonly { id: string }[]) =>
  left.filter(({ id }) => known.every((each) => each.id !== id));
