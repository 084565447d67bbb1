import { useQuery } from '@tanstack/react-query';
import { ME } from '../../app/api/me.ts';
import { browserTexts } from '../../app/storage/browserStorage.ts';
import { answersDraftKey, keepDraft, readDraft } from '../../app/storage/drafts.ts';
import { personId } from '../../app/storage/personId.ts';
import { useSharedDraft } from '../../app/storage/sharedDraft.ts';
import type { ApprovalAnswer } from './queries.ts';

const NONE: readonly ApprovalAnswer[] = [];

const KEEPING = {
  read: (key: string | undefined): readonly ApprovalAnswer[] => {
    const answers = key === undefined ? undefined : readDraft(browserTexts(), key, Date.now())?.given.answers;
    return Array.isArray(answers) && answers.every(isAnswer) ? answers : NONE;
  },
  keep: (key: string, answers: readonly ApprovalAnswer[]) => {
    if (answers.length === 0) browserTexts().removeItem(key);
    else keepDraft(browserTexts(), key, { answers }, Date.now());
  },
};

/** Returns the answers chosen so far for the calls of a turn. They are sent together when each call has one. */
export function useChosenAnswers(agentId: string, taskId: string, place: 'chat' | 'inbox') {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : answersDraftKey(personId(me), agentId, taskId, place);
  return useSharedDraft(key, KEEPING);
}

function isAnswer(value: unknown): value is ApprovalAnswer {
  return typeof value === 'object' && value !== null && 'id' in value && 'approved' in value;
}
