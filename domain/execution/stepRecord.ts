import type { TaskKind } from '../app/workerTask.ts';
import type { Field } from '../field.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Submitters } from '../workflow/submitters.ts';
import type { KeptSecret } from './keptSecret.ts';
import type { LoopFailure } from './outcome.ts';
import type { StepStatus, TerminalStatus } from './status.ts';

/** One write of a step's row. Times are ISO texts. */
export interface StepRecord {
  /** Used when the row is new. */
  id: string;
  nodeId: string;
  /** Empty outside loops. */
  iteration: string;
  label: string;
  type: string;
  appId?: string;
  actionId?: string;
  status: StepStatus;
  attempt: number;
  handle?: string;
  /** Resolved, secrets masked. */
  input?: JsonObject;
  output?: Json;
  error?: StepError;
  console?: ConsoleLine[];
  /** Secret texts of the output, and the connection that was used. */
  secrets?: KeptSecret[];
  startedAt?: string;
  /** For a RETRYING step, the end of the attempt. */
  stoppedAt?: string;
  wakeAt?: string;
  iterationsTotal?: number;
  /** The queue of a customer's worker on which the step waits or runs. */
  taskQueue?: string;
  taskKind?: TaskKind;
  /** The Temporal workflow that called the worker, unless it is the execution's own. */
  taskHost?: string;
}

export interface IterationRecord {
  /** See loopKey in iteration.ts. */
  loopKey: string;
  index: number;
  status: 'COMPLETED' | 'FAILED';
  output?: Json;
  /** The error that ended it, with the label of its step. */
  error?: IterationError;
  /** The bytes of its entry in the loop's output, as JSON with a comma. */
  bytes: number;
}

export interface IterationError {
  code: string;
  message: string;
  cause?: { nodeId: string; code: string };
}

export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

export interface ConsoleLine {
  level: (typeof CONSOLE_LEVELS)[number];
  text: string;
}

export interface StepError extends Partial<LoopFailure> {
  code: string;
  message: string;
  attempt: number;
  details?: JsonObject;
}

export interface InputRequest {
  id: string;
  nodeId: string;
  iteration: string;
  label: string;
  fields: Field[];
  title?: string;
  instructions?: string;
  expiresAt?: string;
  /** Number of submissions that it accepts. */
  required: number;
  submitters: Submitters;
  excludeStarter: boolean;
  /** The workflow that waits for the answer, unless it is the execution's own. */
  host?: string;
}

/** The answer of a `respond` node to the caller of a synchronous webhook. */
export interface WebhookResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Json;
  /** The body is base64 of the sent bytes. */
  encoding?: 'base64';
}

export interface ExecutionEnd {
  status: TerminalStatus;
  statusMessage?: string;
  output?: Json;
  /** For a failure: its code, and the innermost node that failed. */
  errorCode?: string;
  failedNodeId?: string;
}
