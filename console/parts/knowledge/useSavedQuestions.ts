import { writeRows } from '../../data/keptRows.ts';
import { questionsKey, readQuestions } from '../../data/savedQuestions.ts';
import { useKept } from '../useKept.ts';

const KIND = { keyOf: questionsKey, read: readQuestions, write: writeRows };

/** The person's questions to a base, kept in this browser; undefined until it is known who they are. */
export const useSavedQuestions = (knowledgeId: string) => useKept(KIND, knowledgeId);
