import { useKept } from '../../app/lists/useKept.ts';
import { writeRows } from '../../app/storage/keptRows.ts';
import { questionsKey, readQuestions } from './savedQuestions.ts';

const KIND = { keyOf: questionsKey, read: readQuestions, write: writeRows };

/** The person's questions to a base, kept in this browser; undefined until it is known who they are. */
export const useSavedQuestions = (knowledgeId: string) => useKept(KIND, knowledgeId);
