import type { InputRequest, IterationRecord, StepRecord, WebhookResponse } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import type { Attempt, Settlement } from './stepSettlement.ts';

/** An inline node that is run now. */
export interface InlineRun {
  workspaceId: string;
  executionId: string;
  /** In which the node stands (iteration.ts). */
  iteration: string;
  compiled: CompiledNode;
  label: string;
  attempt: number;
  /** When this attempt began. */
  startedAt: Date;
  scope: Scope;
  /** As in RunContext. */
  lineageId: string | null;
  /** The Temporal workflow that runs it if it is not the execution's own. */
  host?: string;
  /** The step's row if it has one. */
  stepId?: string;
}

export interface InlineSettlement extends Settlement {
  /** About as many has the JSON of its input and output; absent if they are small. */
  bytes?: number;
  /** The step's row says so already. */
  isWritten?: true;
  inputRequest?: InputRequest;
  response?: WebhookResponse;
  /** Iterations of a loop that have ended with it. */
  iterations?: IterationRecord[];
  /** Their steps. */
  inner?: StepRecord[];
  /** As in ProgressWrite. */
  cancelled?: string[];
}

export function attemptOf(run: InlineRun, input?: JsonObject): Attempt {
  const { compiled, label, attempt, iteration, startedAt } = run;
  return { compiled, label, attempt, iteration, startedAt, ...(input ? { input } : {}) };
}
