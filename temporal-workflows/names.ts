import { defineSearchAttributeKey } from '@temporalio/common';
import type { ExecutionRef } from '../domain/execution/activityCalls.ts';
import type { Plan } from '../domain/workflow/plan.ts';

/** Argument of runExecution. It stands in the history: no inputs, no payloads. */
export interface RunExecutionArguments extends ExecutionRef {
  plan: Plan;
  /** Milliseconds for one attempt of a remote action that sets no time of its own. */
  actionTimeoutMs: number;
}

export const RUN_EXECUTION = 'runExecution';

/** Signal: the question of `nodeId` was answered; the answer is in Postgres. */
export const INPUT_SUBMITTED = 'inputSubmitted';
export interface InputSubmitted {
  nodeId: string;
}

/** By which executions are found in the Temporal UI. */
export const WORKSPACE_ATTRIBUTE = defineSearchAttributeKey('PerdureWorkspace', 'KEYWORD');
export const PROJECT_ATTRIBUTE = defineSearchAttributeKey('PerdureProject', 'KEYWORD');
export const WORKFLOW_ATTRIBUTE = defineSearchAttributeKey('PerdureWorkflow', 'KEYWORD');
export const SOURCE_ATTRIBUTE = defineSearchAttributeKey('PerdureSource', 'KEYWORD');
export const STATUS_ATTRIBUTE = defineSearchAttributeKey('PerdureStatus', 'KEYWORD');
export const SEARCH_ATTRIBUTES = [
  WORKSPACE_ATTRIBUTE,
  PROJECT_ATTRIBUTE,
  WORKFLOW_ATTRIBUTE,
  SOURCE_ATTRIBUTE,
  STATUS_ATTRIBUTE,
];
