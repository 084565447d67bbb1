import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../../domain/json.ts';
import { anyJson, withInputs } from '../checkedInputs.ts';
import { type ActionResult, type Executor, failed, succeeded } from '../executor.ts';
import type { GuestAnswer } from './guestMessages.ts';
import { GuestPool } from './guestPool.ts';
import { DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_MS, INLINE_UP_TO_MS } from './manifest.ts';

export interface CodeSettings {
  /** Runs at a time, beside one short one. */
  maxCodeThreads: number;
  maxCodeTimeoutMs: number;
  maxCodeMemoryMb: number;
  maxCodeConsoleBytes: number;
  /** As JSON. */
  maxOutputBytes: number;
}

/** Less than the engine's own start would not fit. */
const LEAST_MEMORY_MB = 4;

export function buildJavascript(settings: CodeSettings): Executor {
  const threads = { maxMemoryMb: settings.maxCodeMemoryMb };
  const long = new GuestPool(settings.maxCodeThreads, threads);
  // Inline steps wait for each other at most, never for code that takes its time.
  const short = new GuestPool(1, threads);
  const inputs = {
    code: z.string().min(1),
    input: anyJson.optional(),
    timeoutMs: z.number().int().min(1).max(settings.maxCodeTimeoutMs).default(DEFAULT_TIMEOUT_MS),
    memoryLimitMb: z.number().int().min(LEAST_MEMORY_MB).max(settings.maxCodeMemoryMb).default(DEFAULT_MEMORY_MB),
  };
  return withInputs(inputs, async ({ code, input, timeoutMs, memoryLimitMb }, { idempotencyKey, origin, signal }) => {
    const pool = timeoutMs <= INLINE_UP_TO_MS ? short : long;
    const answer = await pool.run(
      origin?.workspaceId ?? '',
      {
        code,
        ...(input === undefined ? {} : { input: JSON.stringify(input) }),
        timeoutMs,
        memoryLimitMb,
        maxOutputBytes: settings.maxOutputBytes,
        maxConsoleBytes: settings.maxCodeConsoleBytes,
        seed: seedOf(idempotencyKey),
        now: Date.now(),
      },
      signal,
    );
    return { ...resultOf(answer, timeoutMs), ...(answer.console.length > 0 ? { console: answer.console } : {}) };
  });
}

/** The same in each attempt, as the key is. */
function seedOf(idempotencyKey: string): number[] {
  const digest = createHash('sha256').update(idempotencyKey).digest();
  return [0, 4, 8, 12].map((offset) => digest.readInt32LE(offset));
}

function resultOf(answer: GuestAnswer, timeoutMs: number): ActionResult {
  switch (answer.kind) {
    case 'returned':
      return succeeded(JSON.parse(answer.output) as Json);
    case 'failed':
      return failed(answer.code, answer.message);
    default:
      // A busy machine may have been the reason.
      return failed('CODE_TIMEOUT', `Not finished within ${timeoutMs} ms`, { retryable: true });
  }
}
