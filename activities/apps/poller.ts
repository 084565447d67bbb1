import type { Failure } from '../../domain/execution/outcome.ts';
import type { PollItem } from '../../domain/execution/triggerCalls.ts';
import type { Json, JsonObject } from '../../domain/json.ts';

export interface PollCall {
  inputs: JsonObject;
  connection?: { type: string; credentials: Record<string, string> };
  workspaceId: string;
  startWith: 'new' | 'all';
  cursor: Json;
  /** The transaction, as numbered in `object_changes`, that switched the trigger on or gave it this source. */
  sinceTransaction?: string;
  signal: AbortSignal;
}

/** `items` are in the order of their starts; known keys are dropped. `cursor` is stored once all have executions. */
export type PollResult =
  | {
      ok: true;
      items: PollItem[];
      cursor: Json;
      /** The items appeared after the trigger was switched on, so they start executions at the first poll too. */
      areNew?: true;
      secrets?: string[];
    }
  | { ok: false; failure: Failure };

/** Returns failures that a workflow's author should see instead of throwing them. */
export type Poller = (call: PollCall) => Promise<PollResult>;

export function pollFailed(code: string, message: string): PollResult {
  return { ok: false, failure: { code, message, retryable: true } };
}
