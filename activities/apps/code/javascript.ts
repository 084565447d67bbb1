import { createHash } from 'node:crypto';
import { z } from 'zod';
import { durationWritten } from '../../../domain/durationWords.ts';
import type { Json } from '../../../domain/json.ts';
import { ThreadPool } from '../../../engine/threads/threadPool.ts';
import { compiledBeside } from '../../../projectRoot.ts';
import { anyJson, withInputs } from '../checkedInputs.ts';
import { type ActionResult, type Executor, failed, succeeded } from '../executor.ts';
import type { GuestAnswer, GuestTask, GuestThreadData } from './guestMessages.ts';
import { DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_MS, INLINE_UP_TO_MS } from './manifest.ts';

export interface CodeSettings {
  /** Parallel runs, in addition to one short one. */
  maxCodeThreads: number;
  maxCodeTimeoutMs: number;
  maxCodeMemoryMb: number;
  maxCodeConsoleBytes: number;
  maxOutputBytes: number;
}

/** QuickJS does not start with less. */
const MIN_MEMORY_MB = 4;

export function buildJavascript(settings: CodeSettings): Executor {
  const long = guests(settings.maxCodeThreads, settings);
  // Inline steps wait at most for each other, never for long code.
  const short = guests(1, settings);
  const inputs = {
    code: z.string().min(1),
    input: anyJson.optional(),
    timeoutMs: z.number().int().min(1).max(settings.maxCodeTimeoutMs).default(DEFAULT_TIMEOUT_MS),
    memoryLimitMb: z.number().int().min(MIN_MEMORY_MB).max(settings.maxCodeMemoryMb).default(DEFAULT_MEMORY_MB),
  };
  return withInputs(inputs, async ({ code, input, timeoutMs, memoryLimitMb }, { idempotencyKey, origin, signal }) => {
    const pool = timeoutMs <= INLINE_UP_TO_MS ? short : long;
    const answer = await pool.run(
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
      { workspaceId: origin?.workspaceId ?? '', timeoutMs, signal },
    );
    if (answer === 'outOfTime') return outOfTime(timeoutMs);
    return { ...resultOf(answer, timeoutMs), ...(answer.console.length > 0 ? { console: answer.console } : {}) };
  });
}

/** The same in each attempt, like the key. */
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
      return outOfTime(timeoutMs);
  }
}

/** Retryable, because the machine may have been busy. */
function outOfTime(timeoutMs: number): ActionResult {
  return failed('CODE_TIMEOUT', `Not finished within ${durationWritten(timeoutMs)}`, { retryable: true });
}

function guests(most: number, { maxCodeMemoryMb }: CodeSettings) {
  return new ThreadPool<Omit<GuestTask, 'stop'>, GuestAnswer>({
    most,
    entry: compiledBeside(import.meta.url, 'guestThread.js'),
    data: { maxMemoryMb: maxCodeMemoryMb } satisfies GuestThreadData,
    // Large enough that QuickJS reaches its own stack limit before V8's.
    resourceLimits: { maxOldGenerationSizeMb: 64, stackSizeMb: 8 },
  });
}
