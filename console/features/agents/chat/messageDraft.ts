import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ME } from '../../../app/api/me.ts';
import { browserTexts } from '../../../app/storage/browserStorage.ts';
import { keepDraft, messageDraftKey, readDraft } from '../../../app/storage/drafts.ts';
import { personId } from '../../../app/storage/personId.ts';
import { useSharedDraft } from '../../../app/storage/sharedDraft.ts';

const KEEPING = {
  read: (key: string | undefined) => {
    const text = key === undefined ? undefined : readDraft(browserTexts(), key, Date.now())?.given.message;
    return typeof text === 'string' ? text : '';
  },
  keep: (key: string, text: string) => {
    if (text === '') browserTexts().removeItem(key);
    else keepDraft(browserTexts(), key, { message: text }, Date.now());
  },
};

export function useMessageDraft(agentId: string, taskId: string | undefined) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : messageDraftKey(personId(me), agentId, taskId);
  const [text, write] = useSharedDraft(key, KEEPING);
  const latest = useRef(text);
  latest.current = text;
  return {
    text,
    write,
    /** Clears the draft, unless the person has typed since this render. */
    sent: () => {
      if (latest.current === text) write('');
    },
  };
}
