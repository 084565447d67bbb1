import type { Labels } from '../domain/execution/labels.ts';
import type { Progress } from '../domain/execution/progress.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import type { CustomerWorkers } from './customerWorkers.ts';
import type { Gateway } from './temporal/gateway.ts';

/** Executions in Temporal, by id. Calls end within TEMPORAL_CALL_TIMEOUT_MS; EngineAway if it does not answer. */
export interface Engine {
  readonly workflows: Gateway;
  readonly customerWorkers: CustomerWorkers;
  /**
   * Starts the execution's workflow. False if it has been started already. `isEager`: a worker of this process gets its
   * first task at once, ahead of waiting tasks. A start that is not awaited may take 10 s.
   */
  start(execution: ExecutionStart, how: { isEager: boolean; isAwaited: boolean }): Promise<boolean>;
  /** Signals an answer to the waiting workflow. False if it no longer runs. */
  signalInput(question: QuestionRef): Promise<boolean>;
  /** Signals a step that the condition of its wait may have changed. False if its workflow no longer runs. */
  wakeStep(step: QuestionRef): Promise<boolean>;
  /** Like wakeStep, for a turn that waits for the turn of another agent. */
  wakeTurn(runId: string): Promise<boolean>;
  /** Signals a held execution that waits as a child that it may begin. False if it does not run. */
  release(executionId: string): Promise<boolean>;
  /** Requests cancellation: running steps are cancelled, timers and questions close. False if it does not run. */
  cancel(executionId: string): Promise<boolean>;
  /** Ends the execution at once, without waiting for running steps. False if it does not run. */
  terminate(executionId: string): Promise<boolean>;
  /** Reserves the id of an execution that was never started, so that no start can begin it. False if it was started. */
  forestall(executionId: string): Promise<boolean>;
  /** Resolves when the execution's workflow has ended; false if it has not within `timeoutMs`. */
  untilEnded(executionId: string, timeoutMs: number): Promise<boolean>;
  describe(executionId: string): Promise<EngineState>;
  /** Returns whether a worker exceeded the timeout of the workflow's current task. */
  isTaskLost(workflowId: string): Promise<boolean>;
  /** Lists at most `limit` executions that failed to complete since then, in any order. `pageOf`: page size. */
  listEndedBadly(since: Date, limit: number, pageOf?: number): Promise<EndedBadly>;
  ready(): Promise<{ engine: boolean; worker: boolean }>;
}

export interface EndedBadly {
  executionIds: string[];
  /** The last end, by the engine's clock. */
  newest?: Date;
}

export interface QuestionRef {
  executionId: string;
  nodeId: string;
  /** '' at the top. */
  iteration: string;
  /** The waiting workflow, if it is not the execution's own. */
  host: string | null;
}

export interface ExecutionStart {
  executionId: string;
  workspaceId: string;
  projectId?: string | undefined;
  workflowId?: string | undefined;
  versionId?: string | undefined;
  source: 'WORKFLOW' | 'SDK';
  name: string;
  number?: number | undefined;
  plan: Plan;
  progress?: Progress | undefined;
  /** It first copies iterations of the retried execution. */
  takesOver?: boolean | undefined;
  timeoutMs?: number | undefined;
  /** It counts towards the limit of its workflow: its end releases the next one. */
  limited?: boolean | undefined;
  labels?: Labels | undefined;
}

/** `absent`: never started, or past the engine's retention. */
export type EngineState =
  | { kind: 'running' }
  | { kind: 'absent' }
  | { kind: 'ended'; status: TerminalStatus; message: string };
