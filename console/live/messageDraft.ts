import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dropOldDrafts, keepDraft, messageDraftKey, readDraft } from '../data/drafts.ts';
import { ME } from '../data/me.ts';
import { personId } from '../data/personId.ts';

const readText = (key: string | undefined) => {
  const text = key === undefined ? undefined : readDraft(localStorage, key, Date.now())?.given.message;
  return typeof text === 'string' ? text : '';
};

function keepText(key: string, text: string): void {
  if (text === '') localStorage.removeItem(key);
  else keepDraft(localStorage, key, { message: text }, Date.now());
}

/**
 * A message that the person writes and has not sent. It stays in this browser, for them alone, until it is sent; all tabs
 * show the same, so that none writes over what another one has.
 */
export function useMessageDraft(agentId: string, taskId: string | undefined) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : messageDraftKey(personId(me), agentId, taskId);
  // In memory, too: a browser whose storage is full keeps nothing, and one can write all the same.
  const [draft, setDraft] = useState(() => ({ key, text: readText(key) }));
  if (draft.key !== key) setDraft({ key, text: readText(key) });
  useEffect(() => dropOldDrafts(localStorage, Date.now()), []);
  useEffect(() => {
    const onStorage = ({ key: changed }: StorageEvent) => {
      if (changed === key || changed === null) setDraft({ key, text: readText(key) });
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [key]);
  const { text } = draft;
  const write = (next: string) => {
    setDraft({ key, text: next });
    if (key !== undefined) keepText(key, next);
  };
  return {
    text,
    write,
    /** What is shown now was sent; what was written after it stays. */
    sent: () => {
      setDraft((now) => (now.text === text ? { ...now, text: '' } : now));
      if (key !== undefined && readText(key) === text) keepText(key, '');
    },
  };
}
