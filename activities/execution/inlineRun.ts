import type { InputRequest, IterationRecord, StepRecord, WebhookResponse } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import type { WorkerFacts } from '../../prisma/store/execution/workerSteps.ts';
import type { Attempt, Settlement } from './stepSettlement.ts';

export interface InlineRun {
  workspaceId: string;
  executionId: string;
  /** The scope of the node (iteration.ts). */
  iteration: string;
  compiled: CompiledNode;
  label: string;
  attempt: number;
  startedAt: Date;
  scope: Scope;
  lineageId: string | null;
  /** The Temporal workflow that runs it, unless it is the execution's own. */
  host?: string;
  stepId?: string;
  /** As in ActionTask. */
  reconnectUntil?: number;
  /** Set if the node may be an action of a customer's worker. */
  workerFacts?: WorkerFacts;
}

export interface InlineSettlement extends Settlement {
  /** Approximate JSON size of its input and output; absent if small. */
  bytes?: number;
  isWritten?: true;
  inputRequest?: InputRequest;
  response?: WebhookResponse;
  /** Iterations of a loop that have ended with it. */
  iterations?: IterationRecord[];
  inner?: StepRecord[];
  cancelled?: string[];
}

export function attemptOf(run: InlineRun, input?: JsonObject): Attempt {
  const { compiled, label, attempt, iteration, startedAt } = run;
  return { compiled, label, attempt, iteration, startedAt, ...(input ? { input } : {}) };
}
