import { defineSearchAttributeKey, type Priority, type SearchAttributePair } from '@temporalio/common';
import type { RunEnd } from '../domain/agent/runStatus.ts';
import type { TurnRef } from '../domain/agent/turnCalls.ts';
import type { ScopeRef } from '../domain/execution/activityCalls.ts';
import type { ExecutionOwner, RunExecutionArguments } from '../domain/execution/childExecution.ts';
import type { ExecutionRef } from '../domain/execution/executionRef.ts';
import { labelTexts } from '../domain/execution/labels.ts';
import type { Lookaheads } from '../domain/execution/lookahead.ts';
import type { NodeTestRun } from '../domain/execution/nodeTest.ts';
import type { LoopStart } from '../domain/execution/outcome.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import type { PolledRun, ScheduledRun } from '../domain/execution/triggerCalls.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';

export type { NodeTestRun, PolledRun, RunExecutionArguments, ScheduledRun };

export const RUN_EXECUTION = 'runExecution';
export type RunExecution = (execution: RunExecutionArguments) => Promise<TerminalStatus>;
export const RUN_SCHEDULED = 'runScheduled';
export const RUN_POLL = 'runPoll';
/** The workflow's id is the run's id. */
export const AGENT_TURN = 'agentTurn';
export type AgentTurn = (turn: TurnRef) => Promise<RunEnd>;
export const TEST_NODE = 'testNode';

/** Signal: a held execution may begin, as its row shows. */
export const EXECUTION_RELEASED = 'executionReleased';

/** Signal: the question of `nodeId` was answered; its step is completed in Postgres. */
export const INPUT_SUBMITTED = 'inputSubmitted';
export interface InputSubmitted {
  nodeId: string;
  /** Absent at the top. */
  iteration?: string;
}

/** Signal: a step may continue; its connection was authorized, or its agent began or stopped asking. */
export const STEP_WOKEN = 'stepWoken';
export interface StepWoken {
  nodeId: string;
  iteration?: string;
}

/** Signal to a turn: an agent that it called no longer waits for an approval. */
export const TURN_WOKEN = 'turnWoken';

export const RUN_PART = 'runPart';

/** A slice of a loop's iterations. The child loads the loop's part of the plan. */
export interface SlicePart extends ExecutionRef {
  nodeId: string;
  parent: string;
  loop: LoopStart;
  slice: { from: number; to: number; concurrency: number };
  /** Iterations that one workflow runs. A larger slice is divided among children. */
  size: number;
}

/** One node, run repeatedly to its end. The lookaheads replace plan and progress in its history. */
export interface NodePart extends Lookaheads {
  ref: ScopeRef;
  node: PlanNode;
  next: NextRun;
}

/** The next run, due in `delayMs`: another attempt, or the next iterations of a loop. */
export type NextRun = { delayMs: number } & (
  | { cause: 'retry'; attempt: number; reconnectUntil?: number }
  | { cause: 'iterate' }
);

export const INGEST_DOCUMENT = 'ingestDocument';

export const WORKSPACE_ATTRIBUTE = defineSearchAttributeKey('PerdureWorkspace', 'KEYWORD');
const PROJECT_ATTRIBUTE = defineSearchAttributeKey('PerdureProject', 'KEYWORD');
export const WORKFLOW_ATTRIBUTE = defineSearchAttributeKey('PerdureWorkflow', 'KEYWORD');
const SOURCE_ATTRIBUTE = defineSearchAttributeKey('PerdureSource', 'KEYWORD');
export const STATUS_ATTRIBUTE = defineSearchAttributeKey('PerdureStatus', 'KEYWORD');
const LABELS_ATTRIBUTE = defineSearchAttributeKey('PerdureLabels', 'KEYWORD_LIST');
export function executionAttributes(owner: ExecutionOwner): SearchAttributePair[] {
  const { workspaceId, projectId, workflowId, source, labels = {} } = owner;
  const texts = labelTexts(labels);
  return [
    { key: WORKSPACE_ATTRIBUTE, value: workspaceId },
    { key: SOURCE_ATTRIBUTE, value: source },
    ...(projectId === undefined ? [] : [{ key: PROJECT_ATTRIBUTE, value: projectId }]),
    ...(workflowId === undefined ? [] : [{ key: WORKFLOW_ATTRIBUTE, value: workflowId }]),
    ...(texts.length === 0 ? [] : [{ key: LABELS_ATTRIBUTE, value: texts }]),
  ];
}

export function turnAttributes(workspaceId: string) {
  return [
    { key: WORKSPACE_ATTRIBUTE, value: workspaceId },
    { key: SOURCE_ATTRIBUTE, value: 'AGENT' },
  ];
}

/** Fair queues use it to serve workspaces in turn (docs/architecture/fairness.md). Actions and parts inherit it. */
export function fairShare({ workspaceId }: { workspaceId: string }): Priority {
  return { fairnessKey: workspaceId };
}

/** Returns the task queue for actions of workspaces that run many at once (docs/architecture/fairness.md). */
export function overflowQueue(taskQueue: string): string {
  return `${taskQueue}-overflow`;
}

export const SEARCH_ATTRIBUTES = [
  WORKSPACE_ATTRIBUTE,
  PROJECT_ATTRIBUTE,
  WORKFLOW_ATTRIBUTE,
  SOURCE_ATTRIBUTE,
  STATUS_ATTRIBUTE,
  LABELS_ATTRIBUTE,
];
