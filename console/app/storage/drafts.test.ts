import { expect, test } from '@jest/globals';
import type { Texts } from './browserStorage.ts';
import { draftKey, dropOldDrafts, keepDraft, messageDraftKey, readDraft, writeDraft } from './drafts.ts';

const DAY_MS = 86_400_000;

function storage(): Texts {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  };
}

const field = (key: string, type: 'text' | 'secret') => ({ key, type, label: key, required: false });

test('a draft is of one person and one question, lasts 30 days, and has no secret', () => {
  const texts = storage();
  const [ann, bob] = [draftKey('ann', 'e', 's'), draftKey('bob', 'e', 's')];
  writeDraft(texts, ann, [field('note', 'text'), field('pin', 'secret')], { note: 'so', pin: '1234' }, 0);
  expect(texts.getItem(ann)).not.toContain('1234');
  expect(readDraft(texts, ann, 29 * DAY_MS)).toEqual({ at: 0, given: { note: 'so' } });
  expect(readDraft(texts, ann, 30 * DAY_MS)).toBeUndefined();
  expect(readDraft(texts, bob, 1)).toBeUndefined();
});

test('old and broken drafts are dropped, and nothing else', () => {
  const texts = storage();
  writeDraft(texts, draftKey('ann', 'e', 'old'), [], {}, 0);
  writeDraft(texts, draftKey('ann', 'e', 'new'), [], {}, 20 * DAY_MS);
  texts.setItem(draftKey('ann', 'e', 'broken'), '{');
  texts.setItem('accessToken', 'x');
  dropOldDrafts(texts, 31 * DAY_MS);
  expect(Array.from({ length: texts.length }, (_, at) => texts.key(at))).toEqual([
    draftKey('ann', 'e', 'new'),
    'accessToken',
  ]);
});

test('a message to an agent is of one person, and of one task or of the next one', () => {
  const texts = storage();
  const of = (userId: string, taskId?: string) => messageDraftKey(userId, 'agent', taskId);
  // Clients choose the ids of tasks: a task called `new` must not share the draft of a new task.
  const keys = [of('ann'), of('bob'), of('ann', 'one'), of('ann', 'new')];
  expect(new Set(keys).size).toBe(4);
  for (const key of keys) keepDraft(texts, key, { message: key }, 0);
  expect(keys.map((key) => readDraft(texts, key, 1)?.given.message)).toEqual(keys);
  dropOldDrafts(texts, 30 * DAY_MS);
  expect(texts.length).toBe(0);
});
