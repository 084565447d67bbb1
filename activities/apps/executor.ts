import type { Failure } from '../../domain/execution/outcome.ts';
import type { ConsoleLine } from '../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../domain/json.ts';

export interface ActionOrigin {
  workspaceId: string;
  /** In a node test, the test's id; absent in a poll. */
  executionId?: string;
  /** Of a retry: the first execution of its chain. Ids made from it and the idempotency key are those of the try before. */
  lineageId?: string;
}

/** The origin of a call that works in its workspace: a step's. Throws for any other, which is a mistake of ours. */
export function stepOf(origin: ActionOrigin | undefined): Required<Omit<ActionOrigin, 'lineageId'>> {
  const { workspaceId, executionId } = origin ?? {};
  if (workspaceId === undefined || executionId === undefined)
    throw new Error('Only steps call actions of the platform');
  return { workspaceId, executionId };
}

export interface CallConnection {
  type: string;
  credentials: Record<string, string>;
  /** The service took the access token for no good one: puts another one among the credentials, or says why there is none. */
  renew?: () => Promise<{ failure: Failure } | undefined>;
}

/** One attempt of an action. */
export interface ActionCall {
  /** Resolved: expressions are replaced by values, defaults are applied, types are checked by the inputConfig. */
  inputs: JsonObject;
  /** Present when the node names a connection. */
  connection?: CallConnection;
  /**
   * The same in each attempt of the step, and in a retry of the execution until the step has completed with these inputs.
   * It reveals nothing of it: to send on where the other service accepts one.
   */
  idempotencyKey: string;
  /** The calling step, or the poll's workspace: apps of the platform work there, and its private hosts are allowed. */
  origin?: ActionOrigin;
  /** From 1. */
  attempt: number;
  /** Aborted on cancellation, timeout and shutdown. Inline executors may ignore it. */
  signal: AbortSignal;
}

export type ActionResult = ({ ok: true; output: Json } | { ok: false; failure: Failure }) & {
  /** The console of the step. */
  console?: ConsoleLine[];
  /** Secrets of the call that occur in the output; the caller of the executor finds them. */
  secrets?: string[];
};

/** Does the work of one action. Never throws for a failure that a workflow's author should see: it returns it. */
export type Executor = (call: ActionCall) => ActionResult | Promise<ActionResult>;

export function succeeded(output: Json): ActionResult {
  return { ok: true, output };
}

export function failed(
  code: string,
  message: string,
  more: { retryable?: boolean; retryAfterMs?: number; details?: JsonObject } = {},
): ActionResult {
  return {
    ok: false,
    failure: {
      code,
      message,
      retryable: more.retryable ?? false,
      ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
      ...(more.details === undefined ? {} : { details: more.details }),
    },
  };
}
