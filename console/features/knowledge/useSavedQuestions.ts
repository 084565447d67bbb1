import { useKept } from '../../app/lists/useKept.ts';
import { writeRows } from '../../app/storage/keptRows.ts';
import { questionsKey, readQuestions } from './savedQuestions.ts';

const KIND = { keyOf: questionsKey, read: readQuestions, write: writeRows };

/** The user's saved questions, kept in this browser; undefined until the user is known. */
export const useSavedQuestions = (knowledgeId: string) => useKept(KIND, knowledgeId);
