import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLog } from '../process/log.ts';
import { buildCustomExecutors } from './apps/custom/customExecutors.ts';
import { type Executor, succeeded } from './apps/executor.ts';
import { callAction } from './callAction.ts';

const YEAR_MS = 31_536_000_000;
const call = { appId: 'x', actionId: 'y', inputs: {}, key: 'k', attempt: 1 };
const calling = (executor: Executor) => ({
  executorOf: () => executor,
  customExecutor: buildCustomExecutors({}),
  catalogue: new Map(),
  log: createLog('silent'),
});

function working(forMs: number) {
  return calling(async () => {
    await delay(forMs);
    return succeeded('done');
  });
}

test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32, YEAR_MS])('a time limit of %d ms is not over at once', async (timeoutMs) => {
  expect(await callAction(working(100), { ...call, clock: { timeoutMs } })).toEqual({ ok: true, output: 'done' });
});

test('an action that exceeds its time limit fails, and may be tried again', async () => {
  const result = await callAction(working(5_000), { ...call, clock: { timeoutMs: 20 } });
  const failure = { code: 'TIMEOUT', message: 'Not finished within 20 ms', retryable: true };
  expect(result).toEqual({ ok: false, failure });
});

test('callAction needs no node and no engine, and an exception is a failure', async () => {
  const throws = calling(() => {
    throw new Error('broken');
  });
  const failure = { code: 'ACTION_CRASHED', message: 'broken', retryable: true };
  expect(await callAction(throws, { ...call, clock: {} })).toEqual({ ok: false, failure });
  const tells = calling(({ idempotencyKey, attempt }) => succeeded({ idempotencyKey, attempt }));
  const output = { idempotencyKey: 'k', attempt: 1 };
  expect(await callAction(tells, { ...call, clock: {} })).toEqual({ ok: true, output });
});

test.each([
  ['42P01', { code: '42P01' }],
  ['P2010', { code: 'P2010', clientVersion: '7' }],
  ['ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }],
])('only the code of an exception %s of our database, network or files is shown', async (code, about) => {
  const throws = calling(() => {
    throw Object.assign(new Error('relation "task_runs" at 10.0.0.7'), about);
  });
  const failure = { code: 'ACTION_CRASHED', message: `An unexpected error occurred (${code})`, retryable: true };
  expect(await callAction(throws, { ...call, clock: {} })).toEqual({ ok: false, failure });
});
