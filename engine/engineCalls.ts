import { type Client, isGrpcServiceError } from '@temporalio/client';
import { EngineAway } from './engine.ts';

export type EngineCall = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Calls to the server end within `timeoutMs`; EngineAway where it does not answer. The deadline alone holds each try
 * of a call; while the server is away, the tries go on for about 10 s.
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

// gRPC: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE
const AWAY = new Set([1, 4, 8, 14]);

function isAway(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { code?: unknown };
    if (isGrpcServiceError(each) && AWAY.has(each.code)) return true;
    if (typeof code === 'number' && AWAY.has(code)) return true;
  }
  return false;
}
