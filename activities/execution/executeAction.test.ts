import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { succeeded } from '../apps/executor.ts';
import type { ActivityServices } from '../services.ts';
import { executeAction } from './executeAction.ts';

const YEAR_MS = 31_536_000_000;
const compiled = { node: { id: 'a', type: 'action', appId: 'x', actionId: 'y' } } as unknown as CompiledNode;
const call = { inputs: {}, idempotencyKey: 'k', attempt: 1 };

function working(forMs: number): ActivityServices {
  const executor = async () => {
    await delay(forMs);
    return succeeded('done');
  };
  return { executorOf: () => executor } as unknown as ActivityServices;
}

test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32, YEAR_MS])('a time limit of %d ms is not over at once', async (timeoutMs) => {
  expect(await executeAction(working(100), compiled, call, { timeoutMs })).toEqual({ ok: true, output: 'done' });
});

test('what takes longer than its limit has failed, and may be tried again', async () => {
  const result = await executeAction(working(5_000), compiled, call, { timeoutMs: 20 });
  const failure = { code: 'TIMEOUT', message: 'Not finished within 20 ms', retryable: true };
  expect(result).toEqual({ ok: false, failure });
});
