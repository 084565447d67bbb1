import { expect, test } from '@jest/globals';
import { partsOf, type TimedStep } from './stepParts.ts';

const at = (second: number) => new Date(second * 1_000).toISOString();
const error = { code: 'HTTP_502', message: 'Bad gateway' };

function step(from: number | null, to: number | null, change: Partial<TimedStep> = {}): TimedStep {
  return {
    ...{ appId: 'http', status: 'COMPLETED', attempt: 1, attempts: [] },
    startedAt: from === null ? null : at(from),
    stoppedAt: to === null ? null : at(to),
    ...change,
  };
}

const attempt = (number: number, from: number, to: number | null, failure?: typeof error) => ({
  ...{ attempt: number, startedAt: at(from), stoppedAt: to === null ? null : at(to) },
  ...(failure && { error: failure }),
});

const said = (one: TimedStep, nodeType?: string, now = 100) =>
  partsOf(one, nodeType, now * 1_000).map(({ kind, from, to }) => `${kind} ${from / 1_000}-${to / 1_000}`);

test('a step that has not begun has no parts; nothing says how long it was queued', () => {
  expect(said(step(null, null, { status: 'QUEUED' }))).toEqual([]);
});

test('attempts, and the time between them', () => {
  const attempts = [attempt(1, 1, 2, error), attempt(2, 4, 5, error), attempt(3, 9, 11)];
  const all = ['failed 1-2', 'between 2-4', 'failed 4-5', 'between 5-9', 'attempt 9-11'];
  expect(said(step(1, 11, { attempt: 3, attempts }))).toEqual(all);
  const [first, between] = partsOf(step(1, 11, { attempt: 3, attempts }), 'action', 0);
  expect(first).toMatchObject({ attempt: 1, error: 'HTTP_502' });
  expect(between).toMatchObject({ attempt: 2 });
});

test('one that is tried again waits until now, one that was cancelled meanwhile until its end', () => {
  const change = { attempt: 1, attempts: [attempt(1, 1, 2, error)] };
  expect(said(step(1, null, { status: 'RETRYING', ...change }))).toEqual(['failed 1-2', 'between 2-100']);
  expect(said(step(1, 8, { status: 'CANCELLED', ...change }))).toEqual(['failed 1-2', 'between 2-8']);
});

test('of more attempts than are kept the first ones are not known', () => {
  const attempts = [attempt(11, 30, 31, error), attempt(12, 33, 34)];
  const parts = ['unknown 1-30', 'failed 30-31', 'between 31-33', 'attempt 33-34'];
  expect(said(step(1, 34, { attempt: 12, attempts }))).toEqual(parts);
});

test('a running step extends until now', () => {
  expect(said(step(1, null, { status: 'RUNNING', attempts: [attempt(1, 1, null)] }))).toEqual(['attempt 1-100']);
});

test('a delay and a question wait all their time, also once they have ended', () => {
  const control = { appId: null, attempts: [attempt(1, 1, 5)] };
  expect(said(step(1, 5, control), 'delay')).toEqual(['waits 1-5']);
  expect(said(step(1, 5, { ...control, attempts: [attempt(1, 1, 5, error)] }), 'input')).toEqual(['waits 1-5']);
  const open: Partial<TimedStep> = { appId: null, status: 'NEEDS_INPUT', attempts: [attempt(1, 1, null)] };
  // The node type is unknown: the definition may be too large to be read.
  expect(said(step(1, null, open))).toEqual(['waits 1-100']);
});

test('since when an action or a loop waits, nothing says', () => {
  const open: Partial<TimedStep> = { status: 'WAITING', attempts: [attempt(1, 1, null)] };
  expect(said(step(1, null, open), 'action')).toEqual(['unknown 1-100']);
  const loop = { ...open, appId: null, iterations: { completed: 3, failed: 0 } };
  expect(said(step(1, null, loop), 'repeat')).toEqual(['attempt 1-100']);
});
