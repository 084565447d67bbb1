import { type Need, needsOfDefinition } from '../../../domain/access/stepPermissions.ts';
import { isJsonObject } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { inSteps, linearDefinition, stepPlace } from '../../../domain/workflow/linear.ts';
import {
  definitionLimits,
  type Surroundings,
  type Validation,
  validateDefinition,
} from '../../../domain/workflow/validate.ts';
import { compileAhead } from '../../../engine/evaluation/compileAhead.ts';
import type { Services } from '../../services.ts';
import type { NamesConnection } from './connectionProblems.ts';

export interface DefinitionBody {
  steps?: unknown;
  trigger?: unknown;
  nodes?: unknown;
  edges?: unknown;
  output?: unknown;
  labels?: unknown;
  notes?: unknown;
}

/** A parsed definition and the resources that it names, before any database read. */
export interface ReadDefinition {
  validation: Validation;
  nodes: NamesConnection[];
  poll: NamesConnection | undefined;
  trigger: unknown;
  /** Permissions for its steps, at the places of the body; empty for an invalid definition. */
  needs: Need[];
  inBody(problems: ProblemDetail[]): ProblemDetail[];
}

export async function readDefinition(
  body: DefinitionBody,
  { catalogue, config }: Pick<Services, 'catalogue' | 'config'>,
  surroundings: Surroundings = {},
): Promise<ReadDefinition> {
  const limits = definitionLimits(config);
  const isGraph = body.steps === undefined;
  const { candidate, problems } = candidateOf(body);
  const inBody = (found: ProblemDetail[]) => (isGraph ? found : inSteps(found));
  if (!candidate) {
    const nothing = { nodes: [], poll: undefined, trigger: undefined, needs: [] };
    return { validation: { problems }, ...nothing, inBody: (found) => found };
  }
  await compileAhead(candidate);
  const validation = validateDefinition(candidate, { catalogue, limits, ...surroundings });
  const needs = validation.definition ? needsOfDefinition(validation.definition, catalogue) : [];
  return {
    validation,
    nodes: connectionsIn(candidate.nodes),
    poll: pollIn(candidate.trigger),
    trigger: candidate.trigger,
    needs: isGraph ? needs : needs.map((need) => ({ ...need, path: stepPlace(need.path) })),
    inBody,
  };
}

type Candidate = { candidate: DefinitionBody; problems: [] } | { candidate?: undefined; problems: ProblemDetail[] };

/** `problems` if it is neither steps nor a graph. */
export function candidateOf({ steps, trigger, nodes, edges, output, labels, notes }: DefinitionBody): Candidate {
  if (steps === undefined) {
    if (nodes !== undefined) {
      return { candidate: { trigger, nodes, edges: edges ?? [], output, labels, notes }, problems: [] };
    }
    return { problems: [{ path: 'steps', message: 'expected steps, or nodes and edges' }] };
  }
  const others = Object.entries({ nodes, edges, output, notes }).filter(([, value]) => value !== undefined);
  if (others.length === 0) {
    const linear = linearDefinition(steps, trigger);
    return linear.candidate && labels !== undefined
      ? { ...linear, candidate: { ...linear.candidate, labels } }
      : linear;
  }
  return { problems: others.map(([path]) => ({ path, message: 'cannot be combined with steps' })) };
}

/** Includes invalid nodes, to keep their positions. */
function connectionsIn(nodes: unknown): NamesConnection[] {
  return Array.isArray(nodes) ? nodes.map(namesIn) : [];
}

function pollIn(trigger: unknown): NamesConnection | undefined {
  return isJsonObject(trigger) && trigger.type === 'poll' ? namesIn(trigger.config) : undefined;
}

function namesIn(value: unknown): NamesConnection {
  if (!isJsonObject(value)) return {};
  const { id, appId, connectionId } = value;
  return Object.fromEntries(
    Object.entries({ id, appId, connectionId }).filter(([, member]) => typeof member === 'string'),
  );
}
