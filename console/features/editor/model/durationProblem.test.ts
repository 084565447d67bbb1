import { expect, test } from '@jest/globals';
import { node, problemsOf } from '../../../../domain/workflow/graphs.fixture.ts';
import { durationProblem } from './durationProblem.ts';

const delay = (forMs: number) => ({ id: 'd', type: 'delay', inputs: { forMs } });
const schedule = (config: object) => ({ nodes: [], edges: [], trigger: { type: 'schedule', config } });

test('problems of times say what a field for them takes, with the bounds as people write times', () => {
  const definitions = [
    { nodes: [node('a', { timeoutMs: 0 })], edges: [] },
    { nodes: [delay(400_000_000_000)], edges: [] },
    schedule({ everyMs: 500 }),
    schedule({ everyMs: 60_000, jitterMs: 90_000_000 }),
  ];
  const messages = definitions.flatMap(problemsOf);
  expect(messages).toHaveLength(definitions.length);
  expect(messages.filter((each) => !each.includes('milliseconds'))).toEqual([]);
  expect(messages.map((each) => durationProblem(each.replace(/^[^:]*: /, '')))).toEqual([
    'expected a time from 1 ms to 365 d, got 0 s',
    'expected a time from 0 s to 3650 d',
    'expected a time from 1 s to 366 d, got 500 ms',
    'expected a time from 0 s to 1 d, got 1 d 1 h',
  ]);
});

test('other problems stay as they are', () => {
  for (const message of ['required', 'expected a number from 1 to 100, got 500', 'expected text, got a number']) {
    expect(durationProblem(message)).toBe(message);
  }
});
