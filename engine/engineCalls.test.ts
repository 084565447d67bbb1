import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { EngineAway } from './engine.ts';
import { engineCalls, repeatedEngineCalls } from './engineCalls.ts';

const TIME_MS = 600;

// It connects with the first request, and none is made here.
const connection = Connection.lazy({ address: '127.0.0.1:1' });
const client = new Client({ connection });

afterAll(() => connection.close());

/** Answers what is at that place of the call; undefined: never. */
function answering(...answers: (string | Error | undefined)[]) {
  const work = async (): Promise<string> => {
    const answer = answers[work.calls++];
    if (answer instanceof Error) throw answer;
    return answer ?? new Promise<never>(() => undefined);
  };
  work.calls = 0;
  return work;
}

async function timed<T>(work: Promise<T>) {
  const startedAt = Date.now();
  const outcome = await work.catch((error: unknown) => error);
  return { outcome, tookMs: Date.now() - startedAt };
}

test('a call without an answer ends with its time', async () => {
  const { outcome, tookMs } = await timed(engineCalls(client, TIME_MS)(answering()));
  expect(outcome).toBeInstanceOf(EngineAway);
  expect(tookMs).toBeGreaterThanOrEqual(TIME_MS - 20);
});

test('what is lost is asked again, within the same time', async () => {
  const work = answering(undefined, undefined, 'found');
  const { outcome, tookMs } = await timed(repeatedEngineCalls(client, TIME_MS)(work));
  expect(outcome).toBe('found');
  expect(work.calls).toBe(3);
  expect(tookMs).toBeGreaterThanOrEqual(TIME_MS / 3 - 20);
});

test('three times without an answer, the engine is away', async () => {
  const work = answering();
  const { outcome, tookMs } = await timed(repeatedEngineCalls(client, TIME_MS)(work));
  expect(outcome).toBeInstanceOf(EngineAway);
  expect(work.calls).toBe(3);
  expect(tookMs).toBeGreaterThanOrEqual(TIME_MS - 20);
});

test('an answer that refuses is one: it is not asked again', async () => {
  const refusal = new Error('refused');
  const work = answering(refusal, 'found');
  await expect(repeatedEngineCalls(client, TIME_MS)(work)).rejects.toBe(refusal);
  expect(work.calls).toBe(1);
});
