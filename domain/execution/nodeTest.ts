import type { WorkerResult, WorkerTask } from '../app/workerTask.ts';
import type { LoopScope } from '../expression/scope.ts';
import type { Json, JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import type { Definition, Node } from '../workflow/definition.ts';
import { maskSecrets } from './maskSecrets.ts';
import { secretTexts } from './secretTexts.ts';
import type { ConsoleLine, StepError } from './stepRecord.ts';

export interface NodeTestRequest {
  /** Replaces the node's own inputs. */
  inputs?: JsonObject;
  trigger: Json;
  /** Outputs by node id. */
  steps: Record<string, Json>;
  loop?: LoopScope;
  /** The enclosing loops, by node id. */
  loops?: Record<string, LoopScope>;
}

export interface NodeTestAnswer {
  status: 'COMPLETED' | 'FAILED';
  output: Json;
  error?: StepError;
  /** The handle that a condition or a switch takes. */
  handle?: string;
  console?: ConsoleLine[];
  durationMs: number;
}

/** Argument of the workflow and its activity. Histories contain it: ids and a label, and the answer of a worker. */
export interface NodeTestRun {
  workspaceId: string;
  testId: string;
  label: string;
  timeoutMs: number;
  /** The answer of the customer's worker that the first call of the activity asked for. */
  worked?: WorkerResult;
}

/** ABSENT: the caller no longer waits for the test. */
export type NodeTestOutcome = NodeTestAnswer['status'] | 'ABSENT';

export interface NodeTestActivities {
  /** Returns a task if the node is an action of a customer's worker: the workflow calls it, then this again. */
  runNodeTest(run: NodeTestRun): Promise<NodeTestOutcome | { task: WorkerTask }>;
}

/** Returns a definition with only this node, for one attempt at the top with the given inputs, if any. */
export function testedDefinition(
  { trigger }: Definition,
  node: Node,
  inputs: JsonObject | undefined,
  timeoutMs: number,
): Definition {
  const { retry: _, parentId: __, onError: ___, ...rest } = node;
  const tested = { ...rest, ...(inputs === undefined ? {} : { inputs }), timeoutMs };
  return { trigger, nodes: [tested], edges: [] };
}

/** Masks the answer: secret fields of the trigger and of questions, and secrets that the action received. */
export function shownAnswer(
  answer: NodeTestAnswer,
  definition: Definition,
  request: NodeTestRequest,
  ofAction: readonly string[] = [],
): NodeTestAnswer {
  const { trigger, nodes } = definition;
  const given = [
    {
      fields: trigger.type === 'manual' ? (trigger.config.fields as Json | undefined) : undefined,
      values: request.trigger,
    },
    ...nodes
      .filter(({ type }) => type === 'input')
      .map(({ id, inputs }) => ({ fields: inputs?.fields, values: ownMember(request.steps, id) })),
  ];
  const secrets = [...ofAction, ...given.flatMap(({ fields, values }) => secretTexts(fields, values))];
  return maskSecrets(answer as unknown as Json, secrets) as unknown as NodeTestAnswer;
}
