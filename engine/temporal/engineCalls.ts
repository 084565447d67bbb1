import { type Client, isGrpcServiceError } from '@temporalio/client';
import { EngineAway } from '../engineAway.ts';

export type EngineCall = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Limits calls to `timeoutMs`; throws EngineAway without an answer. Each attempt has only this deadline; while the
 * server is unavailable, attempts continue for about 10 s.
 */
export function engineCalls(client: Client, timeoutMs: number): EngineCall {
  return async (work) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new EngineAway(new Error(`No answer within ${timeoutMs} ms`))), timeoutMs);
    });
    try {
      return await Promise.race([client.withDeadline(Date.now() + timeoutMs, work), late]);
    } catch (error) {
      if (isAway(error)) throw new EngineAway(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The share of the time for each of the first two attempts. */
const EARLY_SHARE = 1 / 6;

/**
 * For idempotent calls: repeats an unanswered call twice within `timeoutMs`. A call to a workflow of the server itself,
 * such as a schedule, is sometimes lost while that starts something, and the server repeats it only after 5 s.
 */
export function repeatedEngineCalls(client: Client, timeoutMs: number): EngineCall {
  // A native connection rejects fractional milliseconds.
  const earlyMs = Math.floor(timeoutMs * EARLY_SHARE);
  const early = engineCalls(client, earlyMs);
  const last = engineCalls(client, timeoutMs - 2 * earlyMs);
  const orElse =
    (first: EngineCall, second: EngineCall): EngineCall =>
    (work) =>
      first(work).catch((error: unknown) => {
        if (error instanceof EngineAway) return second(work);
        throw error;
      });
  return orElse(early, orElse(early, last));
}

// gRPC: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, UNAVAILABLE. The fourth occurs for some
// seconds after the server's start, because its own workflows, such as schedules, start later than its frontend.
const AWAY = new Set([1, 4, 8, 9, 14]);

function isAway(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { code?: unknown };
    if (isGrpcServiceError(each) && AWAY.has(each.code)) return true;
    if (typeof code === 'number' && AWAY.has(code)) return true;
  }
  return false;
}
