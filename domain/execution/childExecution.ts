/**
 * Arguments for starting an execution as a child of another workflow. Histories contain these shapes: add fields, never
 * change one.
 */
import type { Plan } from '../workflow/plan.ts';
import type { ExecutionRef } from './executionRef.ts';
import type { Labels } from './labels.ts';
import type { Progress } from './progress.ts';
import type { TerminalStatus } from './status.ts';

/** Argument of runExecution. It stands in the history: no inputs, no payloads. */
export interface RunExecutionArguments extends ExecutionRef {
  /** Absent for one that another workflow starts: it loads its plan itself, so that no plan is in its parent's history. */
  plan?: Plan;
  /** The progress with which a retry begins. It contains only node ids, statuses and handles. */
  progress?: Progress;
  /** A retry: ended iterations of the execution before are still to be taken over. */
  takesOver?: boolean;
  /** Milliseconds for all of it, from the start of its Temporal workflow or its release; absent: as long as it likes. */
  timeoutMs?: number;
  /** It counts towards the limit of its workflow: its end lets the next one go. */
  limited?: boolean;
  /** A child that may not begin before its parent releases it. */
  held?: boolean;
}

/** By which an execution is found in the Temporal UI. */
export interface ExecutionOwner {
  workspaceId: string;
  projectId?: string | undefined;
  workflowId?: string | undefined;
  source: 'WORKFLOW' | 'SDK';
  labels?: Labels | undefined;
}

/** All that a workflow needs to start an execution, whose row is written, as its child. */
export interface ChildStart {
  executionId: string;
  /** The workflow's name. */
  name: string;
  /** Number in its workspace if it is known. */
  number?: number;
  args: Omit<RunExecutionArguments, 'plan'>;
  owner: ExecutionOwner;
}

/** Refused: there is no such workflow, it is not active, or what the step had started before is open. The message holds no data. */
export type AcceptedChild =
  | { kind: 'accepted'; start: ChildStart }
  | { kind: 'refused'; code: 'NOT_FOUND' | 'WORKFLOW_NOT_EXECUTABLE' | 'CHILD_OPEN'; message: string };

export interface ChildActivities {
  /** Waits until the execution's row has ended. */
  awaitExecution(ref: { workspaceId: string; executionId: string }): Promise<TerminalStatus>;
  /** Waits until a workflow that runs iterations has ended, however. */
  awaitIterations(running: { workspaceId: string; workflowId: string }): Promise<void>;
}
