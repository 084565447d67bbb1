import { STORED } from '../../app/storage/browserStorage.ts';
import { readRows } from '../../app/storage/keptRows.ts';

/** A question to a knowledge base, and which documents ought to be found by it. */
export interface SavedQuestion {
  question: string;
  /** As the field for metadata takes it; empty: all documents are looked through. */
  filter: string;
  /** At least one; the name is what it was when the question was saved. */
  expected: { groupId: string; name: string }[];
}

export const MAX_QUESTIONS = 200;

/** Of one person in one workspace, and of one knowledge base. */
export const questionsKey = (userId: string, workspaceId: string, knowledgeId: string) =>
  `${STORED.questions.key}${userId}:${workspaceId}:${knowledgeId}`;

/** What is kept under the key, in the order in which it was saved. */
export const readQuestions = (text: string | null): SavedQuestion[] => readRows(text, isQuestion);

/** One question with one filter is kept once. */
export const nameOf = ({ question, filter }: Pick<SavedQuestion, 'question' | 'filter'>) =>
  JSON.stringify([question, filter]);

/** These and this one, in the place of the one that asks the same. */
export function withQuestion(questions: readonly SavedQuestion[], one: SavedQuestion): SavedQuestion[] {
  const at = questions.findIndex((each) => nameOf(each) === nameOf(one));
  return at === -1 ? [...questions, one] : questions.with(at, one);
}

/** The part of the expected documents, 0 to 1, of which a hit is of: `found` are the documents of the first k hits. */
export function recallOf({ expected }: SavedQuestion, found: readonly string[]): number {
  return expected.filter(({ groupId }) => found.includes(groupId)).length / expected.length;
}

/** The place of the first hit of an expected document, from 1 on; undefined where there is none. */
export function rankOf({ expected }: SavedQuestion, found: readonly string[]): number | undefined {
  const sought = new Set(expected.map(({ groupId }) => groupId));
  const at = found.findIndex((groupId) => sought.has(groupId));
  return at === -1 ? undefined : at + 1;
}

/** Of all of them; undefined where there is none. */
export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, each) => sum + each, 0) / values.length;
}

function isQuestion(value: unknown): value is SavedQuestion {
  if (typeof value !== 'object' || value === null) return false;
  const { question, filter, expected } = value as Record<string, unknown>;
  if (typeof question !== 'string' || question === '' || typeof filter !== 'string') return false;
  return Array.isArray(expected) && expected.length > 0 && expected.every(isDocument);
}

function isDocument(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { groupId, name } = value as Record<string, unknown>;
  return typeof groupId === 'string' && typeof name === 'string';
}
