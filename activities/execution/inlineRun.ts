import type { InputRequest, WebhookResponse } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import type { Attempt, Settlement } from './stepSettlement.ts';

/** An inline node that is run now. */
export interface InlineRun {
  executionId: string;
  compiled: CompiledNode;
  label: string;
  attempt: number;
  scope: Scope;
  /** The step's row, where it has one. */
  stepId?: string;
}

export interface InlineSettlement extends Settlement {
  inputRequest?: InputRequest;
  response?: WebhookResponse;
}

export function attemptOf(run: InlineRun, input?: JsonObject): Attempt {
  const { compiled, label, attempt } = run;
  return { compiled, label, attempt, startedAt: new Date(), ...(input ? { input } : {}) };
}
