import { expect, test } from '@jest/globals';
import { entryKey, entryOf, type InboxEntry, nextEntry, searchOf } from './inboxEntry.ts';

const entries: InboxEntry[] = [
  { kind: 'question', executionId: 'e', stepId: 's' },
  { kind: 'approval', taskId: 't' },
  { kind: 'item', queueId: 'q', itemId: 'i' },
];

test('search parameters name one entry, and other parameters stay', () => {
  for (const entry of entries) {
    const search = searchOf(entry, { mine: 'true', question: 'other/one', item: 'other/one' });
    expect(entryOf(search)).toEqual(entry);
    expect(search.mine).toBe('true');
  }
  expect(entryOf(searchOf(undefined, { question: 'e/s' }))).toBeUndefined();
  expect(entryOf({ question: 'e' })).toBeUndefined();
});

test('the next entry is the one after it that is not done, then the first; never itself', () => {
  const [question, approval, item] = entries;
  const done = new Set([entryKey(approval as InboxEntry)]);
  const next = (from: InboxEntry | undefined) => nextEntry(entries, from, (key) => done.has(key));
  expect(next(undefined)).toBe(question);
  expect(next(question)).toBe(item);
  expect(next(item)).toBe(question);
  done.add(entryKey(question as InboxEntry));
  expect(next(item)).toBeUndefined();
});
