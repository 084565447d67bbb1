import type { LoopScope } from '../expression/scope.ts';
import type { Json, JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import type { Definition, Node } from '../workflow/definition.ts';
import { maskSecrets } from './maskSecrets.ts';
import { secretTexts } from './secretTexts.ts';
import type { ConsoleLine, StepError } from './stepRecord.ts';

/** The input of a node test: the values that its expressions name. */
export interface NodeTestRequest {
  /** Instead of the node's own. */
  inputs?: JsonObject;
  trigger: Json;
  /** Outputs by node id. */
  steps: Record<string, Json>;
  /** The loop around the node. */
  loop?: LoopScope;
  /** The enclosing loops, by node id. */
  loops?: Record<string, LoopScope>;
}

export interface NodeTestAnswer {
  status: 'COMPLETED' | 'FAILED';
  output: Json;
  error?: StepError;
  /** The way out of a condition or a switch. */
  handle?: string;
  console?: ConsoleLine[];
  durationMs: number;
}

/** Argument of the workflow and its activity. Stands in histories: ids and a label, no payload. */
export interface NodeTestRun {
  workspaceId: string;
  testId: string;
  /** Label of the node. */
  label: string;
  /** For the whole attempt. */
  timeoutMs: number;
}

/** ABSENT: nobody waits for it any more. */
export type NodeTestOutcome = NodeTestAnswer['status'] | 'ABSENT';

export interface NodeTestActivities {
  runNodeTest(run: NodeTestRun): Promise<NodeTestOutcome>;
}

/** The definition with this node alone: one attempt within the time, at the top, with other inputs where there are any. */
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

/**
 * The answer for people to see: what came in by secret fields, of the trigger and of questions, is masked, and so are the
 * secrets that its action was given.
 */
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
