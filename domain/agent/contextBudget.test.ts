import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredMessage } from './chatMessages.ts';
import { chatMessages } from './chatMessages.ts';
import { withinBudget } from './contextBudget.ts';

const tokensOf = (text: string) => Math.ceil(text.length / 4);
const trim = (messages: readonly StoredMessage[], tokens: number) => withinBudget(messages, { tokens, tokensOf });

const user = (text: string): StoredMessage => ({
  id: `u-${text.slice(0, 9)}`,
  role: 'user',
  parts: [{ type: 'text', text }],
});
const step = (id: string, output: string): StoredMessage['parts'] => [
  { type: 'step-start' },
  { type: 'tool-look', toolCallId: id, state: 'output-available', input: {}, output },
];
const answer = (...parts: StoredMessage['parts']): StoredMessage => ({ id: 'a', role: 'assistant', parts });
const outputs = (messages: readonly StoredMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => ('output' in part ? [String(part.output).length] : [])));
const long = 'x'.repeat(8_000);

test('within the budget nothing changes', () => {
  const messages = [user('Hi'), answer(...step('c1', long))];
  const fitted = trim(messages, 3_000);
  expect(fitted).toEqual({ messages });
  expect(fitted.messages).toBe(messages);
});

test('the oldest results are shortened first, and only as many as needed; the stored message is unchanged', () => {
  const messages = [
    ...[user('one'), answer(...step('c1', long), ...step('c2', long))],
    ...[user('two'), answer(...step('c3', long))],
    ...[user('three'), answer(...step('c4', long))],
  ];
  const fitted = trim(messages, 6_500);
  expect(fitted.trimmed).toEqual({ toolResults: 1, messages: 0 });
  const [first, ...others] = outputs(fitted.messages);
  expect(first).toBeLessThan(700);
  expect(others).toEqual([8_000, 8_000, 8_000]);
  expect(outputs(messages)).toEqual([8_000, 8_000, 8_000, 8_000]);
});

test('then the oldest turns are removed; the last question stays, however long it is', () => {
  const messages = [
    user('one'),
    answer({ type: 'text', text: long }),
    user('two'),
    answer({ type: 'text', text: long }),
    user(long),
  ];
  const fitted = trim(messages, 2_500);
  expect(fitted.trimmed).toEqual({ toolResults: 0, messages: 4 });
  expect(fitted.messages).toEqual([user(long)]);
  expect(trim(messages, 10).messages).toEqual([user(long)]);
});

test('the oldest steps of a long turn are removed, and the newest results share the rest', () => {
  const steps = Array.from({ length: 20 }, (_, n) => step(`c${n}`, 'y'.repeat(1_900)));
  const newest = [...step('d1', long), ...step('d2', long).slice(1)];
  const fitted = trim([user('Do it'), answer(...steps.flat(), ...newest)], 2_000);
  const [, last] = fitted.messages;
  expect(fitted.messages[0]).toEqual(user('Do it'));
  expect(fitted.trimmed?.messages).toBeGreaterThan(15);
  expect(last?.parts[0]).toEqual({ type: 'step-start' });
  const [one = 0, other = 0] = outputs(fitted.messages).slice(-2);
  expect([one, other].every((length) => length > 2_000 && length < 8_000)).toBe(true);
});

test('no call loses its result and no result its call, and the last question is there, whatever the budget', () => {
  const text = fc.integer({ min: 0, max: 6_000 }).map((length) => 'z'.repeat(length));
  const answers = fc.array(text, { maxLength: 4 });
  const turns = fc.array(fc.tuple(text, answers), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(turns, fc.integer({ min: 0, max: 12_000 }), (given, budget) => {
      const messages = given.flatMap(([asked, results], turn) => [
        user(`${turn} ${asked}`),
        answer(...results.flatMap((result, n) => step(`c${turn}-${n}`, result))),
      ]);
      const sent = chatMessages('', trim(messages, budget).messages, 'here');
      const called = sent.flatMap((message) =>
        'tool_calls' in message ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      );
      const answered = sent.flatMap((message) => ('tool_call_id' in message ? [message.tool_call_id] : []));
      expect(answered).toEqual(called);
      expect(sent.find(({ role }) => role !== 'system')?.role).toBe('user');
      expect(sent).toContainEqual({ role: 'user', content: `${given.length - 1} ${given.at(-1)?.[0]}` });
    }),
  );
});
