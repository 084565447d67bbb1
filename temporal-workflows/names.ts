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
import type { Cost } from './workflowBudget.ts';

export type { NodeTestRun, PolledRun, RunExecutionArguments, ScheduledRun };

export const RUN_EXECUTION = 'runExecution';
/** Its function, as those see it who start it as a child; the interpreter starts itself so. */
export type RunExecution = (execution: RunExecutionArguments) => Promise<TerminalStatus>;
/** A time of a workflow's schedule. */
export const RUN_SCHEDULED = 'runScheduled';
/** A look of a poll trigger. */
export const RUN_POLL = 'runPoll';
/** A turn of an agent; its id is the run's. */
export const AGENT_TURN = 'agentTurn';
/** Its function, as those see it who start it as a child; a turn may start another one. */
export type AgentTurn = (turn: TurnRef) => Promise<RunEnd>;
/** One attempt of one node, for a waiting caller. */
export const TEST_NODE = 'testNode';

/** Signal: a held execution may begin; its row says so. */
export const EXECUTION_RELEASED = 'executionReleased';

/** Signal: the question of `nodeId` was answered; its step is completed in Postgres. */
export const INPUT_SUBMITTED = 'inputSubmitted';
export interface InputSubmitted {
  nodeId: string;
  /** Absent at the top. */
  iteration?: string;
}

/**
 * Signal: what the step of `nodeId` waits for may have changed. Its connection was authorized again, or its agent asks a
 * person for an approval, or no longer does.
 */
export const STEP_WOKEN = 'stepWoken';
export interface StepWoken {
  nodeId: string;
  /** Absent at the top. */
  iteration?: string;
}

/** Signal to a turn: an agent that it called no longer asks a person for an approval. */
export const TURN_WOKEN = 'turnWoken';

/** A part of an execution, as a child of the workflow that comes to it. */
export const RUN_PART = 'runPart';

/** A slice of a loop's iterations. The child loads the loop's part of the plan. */
export interface SlicePart extends ExecutionRef {
  nodeId: string;
  /** The scope of the loop's node. */
  parent: string;
  loop: LoopStart;
  slice: { from: number; to: number; concurrency: number };
  /** Iterations that one workflow runs: a larger slice is divided between children. */
  size: number;
  /** Budget for nested loops in the history of a workflow that runs its slice itself. */
  inside: Cost;
}

/** One node, run repeatedly to its end. Its lookaheads name what follows, so plan and progress are not in its history. */
export interface NodePart extends Lookaheads {
  /** The scope of the node. */
  ref: ScopeRef;
  node: PlanNode;
  next: NextRun;
}

/** Due `delayMs` from now: another attempt, or the next iterations of a loop. */
export type NextRun = { delayMs: number } & (
  | { cause: 'retry'; attempt: number; reconnectUntil?: number }
  | { cause: 'iterate' }
);

/** The ingestion of one document of a knowledge base. */
export const INGEST_DOCUMENT = 'ingestDocument';

/** By which executions are found in the Temporal UI. */
export const WORKSPACE_ATTRIBUTE = defineSearchAttributeKey('PerdureWorkspace', 'KEYWORD');
const PROJECT_ATTRIBUTE = defineSearchAttributeKey('PerdureProject', 'KEYWORD');
export const WORKFLOW_ATTRIBUTE = defineSearchAttributeKey('PerdureWorkflow', 'KEYWORD');
const SOURCE_ATTRIBUTE = defineSearchAttributeKey('PerdureSource', 'KEYWORD');
export const STATUS_ATTRIBUTE = defineSearchAttributeKey('PerdureStatus', 'KEYWORD');
const LABELS_ATTRIBUTE = defineSearchAttributeKey('PerdureLabels', 'KEYWORD_LIST');
/** Search attributes of an execution, equal for starts by the API and for children. */
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

/**
 * Tasks that wait in the engine are taken workspace by workspace where its queues are fair (docs/architecture/fairness.md).
 * Actions and parts of an execution have the execution's.
 */
export function fairShare({ workspaceId }: { workspaceId: string }): Priority {
  return { fairnessKey: workspaceId };
}

/** The task queue for actions of workspaces that run many (docs/architecture/fairness.md). */
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
