import type { Failure } from '../../domain/execution/outcome.ts';
import type { ConsoleLine } from '../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../domain/json.ts';

export interface ActionOrigin {
  workspaceId: string;
  /** In a node test, the test's id; absent in a poll. */
  executionId?: string;
  /** The id of its node. */
  stepId?: string;
  /** For a retry: the first execution of its chain, from which ids are derived, so that they stay the same. */
  lineageId?: string;
}

/** Called with true right before a request leaves, and with false when its answer has come. */
export function awaitsAnswer({ answer }: Pick<ActionCall, 'answer'>, isAwaited: boolean): void {
  if (answer) answer.isAwaited = isAwaited;
}

/** Throws for other calls, which is a defect. */
export function stepOf(origin: ActionOrigin | undefined): Required<Omit<ActionOrigin, 'lineageId' | 'stepId'>> {
  const { workspaceId, executionId } = origin ?? {};
  if (workspaceId === undefined || executionId === undefined)
    throw new Error('Only steps call actions of the platform');
  return { workspaceId, executionId };
}

export interface CallConnection {
  /** Absent in tests of executors. */
  id?: string;
  type: string;
  credentials: Record<string, string>;
  /** Called if the service rejected the access token: replaces it in the credentials, or returns why that failed. */
  renew?: () => Promise<{ failure: Failure } | undefined>;
}

/** Set while a request has left whose answer has not come. A failure then may hide an effect. */
export interface AnswerState {
  isAwaited: boolean;
}

export interface ActionCall {
  inputs: JsonObject;
  connection?: CallConnection;
  /**
   * The same in each attempt and in retries until the step has completed with these inputs. Safe to send to services.
   */
  idempotencyKey: string;
  /** The calling step, or the poll's workspace. Apps of the platform act there, and its private hosts are allowed. */
  origin?: ActionOrigin;
  attempt: number;
  /** Written by awaitsAnswer. Executors whose calls may be repeated can ignore it. */
  answer?: AnswerState;
  /** Aborted on cancellation, timeout and shutdown. Inline executors may ignore it. */
  signal: AbortSignal;
}

export type ActionResult = ({ ok: true; output: Json } | { ok: false; failure: Failure }) & {
  console?: ConsoleLine[];
  /** Secrets of the call that occur in the output. The caller of the executor finds them. */
  secrets?: string[];
};

/** Does the work of one action. Returns failures that the workflow's author should see instead of throwing them. */
export type Executor = (call: ActionCall) => ActionResult | Promise<ActionResult>;

export function succeeded(output: Json): ActionResult {
  return { ok: true, output };
}

export type ActionFailure = Extract<ActionResult, { ok: false }>;

export function failed(
  code: string,
  message: string,
  more: { retryable?: boolean; retryAfterMs?: number; details?: JsonObject } = {},
): ActionFailure {
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
