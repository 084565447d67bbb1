/** Arguments for starting a child execution. Histories contain these shapes: add fields, never change one. */
import type { Plan } from '../workflow/plan.ts';
import type { ExecutionRef } from './executionRef.ts';
import type { Labels } from './labels.ts';
import type { Progress } from './progress.ts';
import type { TerminalStatus } from './status.ts';

/** Argument of runExecution. It is in the history, so it contains no inputs or payloads. */
export interface RunExecutionArguments extends ExecutionRef {
  /** Absent if another workflow starts it: it then loads the plan, to keep it out of the parent's history. */
  plan?: Plan;
  /** The starting progress of a retry. It contains only node ids, statuses and handles. */
  progress?: Progress;
  /** A retry that still has to take over ended iterations of the earlier execution. */
  takesOver?: boolean;
  /** Timeout in milliseconds, from the start of the Temporal workflow or its release; absent: no limit. */
  timeoutMs?: number;
  /** It counts towards the limit of its workflow: its end releases the next one. */
  limited?: boolean;
  /** A child that may not begin before its parent releases it. */
  held?: boolean;
}

export interface ExecutionOwner {
  workspaceId: string;
  projectId?: string | undefined;
  workflowId?: string | undefined;
  source: 'WORKFLOW' | 'SDK';
  labels?: Labels | undefined;
}

/** Starts an execution as the caller's child. Its row is already written. */
export interface ChildStart {
  executionId: string;
  name: string;
  number?: number;
  args: Omit<RunExecutionArguments, 'plan'>;
  owner: ExecutionOwner;
}

/** Refused: the workflow is missing, unpublished or inactive, or the step's earlier child is open. The message contains no data. */
export type AcceptedChild =
  | { kind: 'accepted'; start: ChildStart }
  | { kind: 'refused'; code: RefusedChild; message: string };
type RefusedChild = 'NOT_FOUND' | 'NOT_PUBLISHED' | 'WORKFLOW_NOT_EXECUTABLE' | 'CHILD_OPEN';

export interface ChildActivities {
  awaitExecution(ref: { workspaceId: string; executionId: string }): Promise<TerminalStatus>;
  /** Waits until a workflow that runs iterations has ended in any way. */
  awaitIterations(running: { workspaceId: string; workflowId: string }): Promise<void>;
}
