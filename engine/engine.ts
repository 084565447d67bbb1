import type { Labels } from '../domain/execution/labels.ts';
import type { Progress } from '../domain/execution/progress.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import type { Gateway } from './temporal/gateway.ts';

/** Executions in Temporal, whose workflow id is the execution's. Calls end within TEMPORAL_CALL_TIMEOUT_MS; they throw EngineAway if it does not answer. */
export interface Engine {
  /** Temporal workflows of any kind; executions and node tests use it. */
  readonly workflows: Gateway;
  /**
   * Starts the execution's workflow. False if it has been started already: it is left as it is. `ahead`: its first
   * task goes to the worker of this process at once if there is one, and not behind the tasks that wait. A start that
   * nobody awaits is given 10 s.
   */
  start(execution: ExecutionStart, how: { ahead: boolean; isAwaited: boolean }): Promise<boolean>;
  /** Signals an answer to the workflow that waits for it. False if that no longer runs. */
  signalInput(question: QuestionRef): Promise<boolean>;
  /** Signals to the workflow of a step that the condition of its wait may have changed. False if it no longer runs. */
  wakeStep(step: QuestionRef): Promise<boolean>;
  /** The same for a turn that waits for the turn of another agent. */
  wakeTurn(runId: string): Promise<boolean>;
  /** Signals to a held execution that waits as a child that it may begin. False if it does not run. */
  release(executionId: string): Promise<boolean>;
  /** Requests cancellation: running steps are cancelled, timers and questions close. False if it does not run. */
  cancel(executionId: string): Promise<boolean>;
  /** Ends the execution at once, without waiting for running steps. False as in cancel. */
  terminate(executionId: string): Promise<boolean>;
  /** Takes the place of an execution that was never started, so that no start can begin it. False when one has. */
  forestall(executionId: string): Promise<boolean>;
  /** Resolves when the execution's workflow has ended; false when it has not within `timeoutMs`. */
  untilEnded(executionId: string, timeoutMs: number): Promise<boolean>;
  describe(executionId: string): Promise<EngineState>;
  /** Whether a worker that had the present task of a workflow did not end it in time. */
  isTaskLost(workflowId: string): Promise<boolean>;
  /** Executions that ended otherwise than completed since then; at most `limit`, any order. `pageOf`: asked for at once. */
  listEndedBadly(since: Date, limit: number, pageOf?: number): Promise<EndedBadly>;
  /** Whether the server answers, and whether a worker polls its task queue. */
  ready(): Promise<{ engine: boolean; worker: boolean }>;
}

export interface EndedBadly {
  executionIds: string[];
  /** When the last of them ended, by the engine's clock. */
  newest?: Date;
}

export interface QuestionRef {
  executionId: string;
  nodeId: string;
  /** '' at the top. */
  iteration: string;
  /** The workflow that waits if it is not the execution's own. */
  host: string | null;
}

export interface ExecutionStart {
  executionId: string;
  workspaceId: string;
  projectId?: string | undefined;
  workflowId?: string | undefined;
  versionId?: string | undefined;
  source: 'WORKFLOW' | 'SDK';
  /** The workflow's name. */
  name: string;
  /** Number in its workspace, if its start knows it. */
  number?: number | undefined;
  plan: Plan;
  /** The progress with which a retry begins. */
  progress?: Progress | undefined;
  /** It begins with taking over iterations of the execution before. */
  takesOver?: boolean | undefined;
  /** Timeout of the whole execution. */
  timeoutMs?: number | undefined;
  /** It counts towards the limit of its workflow: its end lets the next one go. */
  limited?: boolean | undefined;
  labels?: Labels | undefined;
}

/** `absent`: never started, or past the engine's retention. */
export type EngineState =
  | { kind: 'running' }
  | { kind: 'absent' }
  | { kind: 'ended'; status: TerminalStatus; message: string };
