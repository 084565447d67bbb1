import type { Failure } from '../../domain/execution/outcome.ts';
import type { PollItem } from '../../domain/execution/triggerCalls.ts';
import type { Json, JsonObject } from '../../domain/json.ts';

/** One look of an app's trigger. */
export interface PollCall {
  /** Checked by the inputConfig, defaults applied. */
  inputs: JsonObject;
  connection?: { type: string; credentials: Record<string, string> };
  workspaceId: string;
  /** Whether the first poll reports the existing items. */
  startWith: 'new' | 'all';
  /** The cursor of the last poll; null at the first. */
  cursor: Json;
  /** The database's transaction that switched the trigger on or gave it this source, as `object_changes` numbers them. */
  sinceTransaction?: string;
  signal: AbortSignal;
}

/**
 * `items`: the current items, in the order in which executions start; known items are dropped by key. `cursor`: state
 * for the next poll, stored once every item has its execution.
 */
export type PollResult =
  | {
      ok: true;
      items: PollItem[];
      cursor: Json;
      /** The items came after the trigger was switched on: they start executions at the first poll too. */
      areNew?: true;
      /** Secrets of the connection; the caller adds them. */
      secrets?: string[];
    }
  | { ok: false; failure: Failure };

/** Never throws for a failure that a workflow's author should see: it returns it. */
export type Poller = (call: PollCall) => Promise<PollResult>;

export function pollFailed(code: string, message: string): PollResult {
  return { ok: false, failure: { code, message, retryable: true } };
}
