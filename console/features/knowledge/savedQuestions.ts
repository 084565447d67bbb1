import { STORED } from '../../app/storage/browserStorage.ts';
import { readRows } from '../../app/storage/keptRows.ts';

/** A question to a knowledge base and the documents that it should find. */
export interface SavedQuestion {
  question: string;
  /** In the syntax of the metadata field; empty: search all documents. */
  filter: string;
  /** At least one. The name is the one at the time the question was saved. */
  expected: { groupId: string; name: string }[];
}

export const MAX_QUESTIONS = 200;

export const questionsKey = (userId: string, workspaceId: string, knowledgeId: string) =>
  `${STORED.questions.key}${userId}:${workspaceId}:${knowledgeId}`;

export const readQuestions = (text: string | null): SavedQuestion[] => readRows(text, isQuestion);

export const nameOf = ({ question, filter }: Pick<SavedQuestion, 'question' | 'filter'>) =>
  JSON.stringify([question, filter]);

/** Adds the question, or replaces the one with the same text and filter. */
export function withQuestion(questions: readonly SavedQuestion[], one: SavedQuestion): SavedQuestion[] {
  const at = questions.findIndex((each) => nameOf(each) === nameOf(one));
  return at === -1 ? [...questions, one] : questions.with(at, one);
}

/** Returns the share of expected documents that were found, 0 to 1. `found`: the documents of the first k hits. */
export function recallOf({ expected }: SavedQuestion, found: readonly string[]): number {
  return expected.filter(({ groupId }) => found.includes(groupId)).length / expected.length;
}

/** Returns the 1-based rank of the first expected document; undefined if none was found. */
export function rankOf({ expected }: SavedQuestion, found: readonly string[]): number | undefined {
  const sought = new Set(expected.map(({ groupId }) => groupId));
  const at = found.findIndex((groupId) => sought.has(groupId));
  return at === -1 ? undefined : at + 1;
}

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
