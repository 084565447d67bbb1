import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { EngineAway } from '../engineAway.ts';
import { engineCalls, repeatedEngineCalls } from './engineCalls.ts';

const TIME_MS = 600;

// It connects with the first request, and none is made here.
const connection = Connection.lazy({ address: '127.0.0.1:1' });
const client = new Client({ connection });

afterAll(() => connection.close());

/** Returns the answer for each call by its index; undefined: no answer. */
function answering(...answers: (string | Error | undefined)[]) {
  const work = async (): Promise<string> => {
    const answer = answers[work.calls++];
    if (answer instanceof Error) throw answer;
    return answer ?? new Promise<never>(() => undefined);
  };
  work.calls = 0;
  return work;
}

// Node's timers count from the start of a loop turn, so they may fire early compared with a clock. Use a fake clock.
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Returns the outcome at that time after the start; undefined while the work runs. */
function watched<T>(work: Promise<T>) {
  let outcome: unknown;
  void work.then(
    (value) => {
      outcome = value;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  return async (ms: number) => {
    await jest.advanceTimersByTimeAsync(ms);
    return outcome;
  };
}

test('a call without an answer ends with its time', async () => {
  const after = watched(engineCalls(client, TIME_MS)(answering()));
  expect(await after(TIME_MS - 1)).toBeUndefined();
  expect(await after(1)).toBeInstanceOf(EngineAway);
});

test('a lost call is repeated within the same time limit', async () => {
  const work = answering(undefined, undefined, 'found');
  const after = watched(repeatedEngineCalls(client, TIME_MS)(work));
  expect([await after(TIME_MS / 6 - 1), work.calls]).toEqual([undefined, 1]);
  expect([await after(1), work.calls]).toEqual([undefined, 2]);
  expect([await after(TIME_MS / 6 - 1), work.calls]).toEqual([undefined, 2]);
  expect([await after(1), work.calls]).toEqual(['found', 3]);
});

test('three times without an answer, the engine is away', async () => {
  const work = answering();
  const after = watched(repeatedEngineCalls(client, TIME_MS)(work));
  expect([await after(TIME_MS - 1), work.calls]).toEqual([undefined, 3]);
  expect([await after(1), work.calls]).toEqual([expect.any(EngineAway), 3]);
});

test('an answer that refuses is one: it is not asked again', async () => {
  const refusal = new Error('refused');
  const work = answering(refusal, 'found');
  await expect(repeatedEngineCalls(client, TIME_MS)(work)).rejects.toBe(refusal);
  expect(work.calls).toBe(1);
});
