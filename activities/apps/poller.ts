import type { Failure } from '../../domain/execution/outcome.ts';
import type { PollItem } from '../../domain/execution/triggerCalls.ts';
import type { Json, JsonObject } from '../../domain/json.ts';

/** One look of an app's trigger. */
export interface PollCall {
  /** Checked by the inputConfig, defaults applied. */
  inputs: JsonObject;
  connection?: { type: string; credentials: Record<string, string> };
  workspaceId: string;
  /** Whether the first look is to tell what is there already. */
  startWith: 'new' | 'all';
  /** What the last look left; null at the first. */
  cursor: Json;
  signal: AbortSignal;
}

/**
 * `items`: what is there now, in the order in which executions are to start; those that were there before are dropped
 * by key. `cursor`: what the next look is to know, kept once every item has its execution.
 */
export type PollResult =
  | {
      ok: true;
      items: PollItem[];
      cursor: Json /** Of the connection: no poller tells them itself. */;
      secrets?: string[];
    }
  | { ok: false; failure: Failure };

/** Never throws for a failure that a workflow's author should see: it returns it. */
export type Poller = (call: PollCall) => Promise<PollResult>;

export function pollFailed(code: string, message: string): PollResult {
  return { ok: false, failure: { code, message, retryable: true } };
}
