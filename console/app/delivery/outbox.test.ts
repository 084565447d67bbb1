import { expect, test } from '@jest/globals';
import { type OutboxMessage, settled } from './outbox.ts';

const message = (id: string, state: OutboxMessage['state']): OutboxMessage => ({ id, text: id, state });

test('messages that arrived leave the outbox, and others that were sent wait again', () => {
  const outbox = [message('a', 'sent'), message('b', 'sent'), message('c', 'waiting')];
  expect(settled(outbox, new Set(['a']), false)).toEqual([message('b', 'waiting'), message('c', 'waiting')]);
});

test('a refused message waits for the person', () => {
  expect(settled([message('a', 'sent'), message('b', 'waiting')], new Set(), true)).toEqual([
    message('a', 'held'),
    message('b', 'waiting'),
  ]);
});

test('an outbox that nothing concerns is the same one', () => {
  const outbox = [message('a', 'held'), message('b', 'waiting')];
  expect(settled(outbox, new Set(['c']), true)).toBe(outbox);
});
