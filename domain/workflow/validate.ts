import type { Catalogue } from '../app/manifest.ts';
import { canonicalFields } from '../fieldDeclaration.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type Json } from '../json.ts';
import type { ProblemDetail } from '../problem.ts';
import { storageProblem } from '../storableJson.ts';
import { checkAction } from './actionInputs.ts';
import { checkControl } from './controlInputs.ts';
import { type Definition, type Edge, FUTURE_NODE_TYPES, type Node } from './definition.ts';
import { readEdges } from './edgeShape.ts';
import { checkExpressions, type PlacedReferences } from './expressionProblems.ts';
import { upstreamOf } from './graph.ts';
import { type PlacedNode, present, readNodes } from './nodeShape.ts';
import { Problems } from './problems.ts';
import { Shape } from './shape.ts';
import { readTrigger } from './triggerShape.ts';

export interface ValidationContext {
  catalogue: Catalogue;
  limits: { maxBytes: number; maxNodes: number };
}

export type Validation =
  | { definition: Definition; problems: [] }
  | { definition?: undefined; problems: ProblemDetail[] };

/** Deeper values are refused: what walks through them calls itself. */
const MAX_DEPTH = 100;

/**
 * A definition as people sent it: in its one canonical form, or everything that is wrong with it. One that
 * passes can be compiled and run; connections and variables are for those who can look them up.
 */
export function validateDefinition(candidate: unknown, context: ValidationContext): Validation {
  const limits = limitProblem(candidate, context.limits);
  if (limits !== undefined) return { problems: [limits] };
  const problems = new Problems();
  const definition = read(candidate as Record<string, unknown>, context, problems);
  return problems.all.length === 0 ? { definition, problems: [] } : { problems: problems.all };
}

function limitProblem(candidate: unknown, limits: ValidationContext['limits']): ProblemDetail | undefined {
  if (!isJsonObject(candidate)) return { path: '', message: `expected a definition, got ${kindOfJson(candidate)}` };
  if (isDeeperThan(candidate, MAX_DEPTH)) {
    return { path: '', message: `the definition is nested too deeply, at most ${MAX_DEPTH} levels are allowed` };
  }
  const text = JSON.stringify(candidate);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxBytes) {
    return { path: '', message: `the definition has ${bytes} bytes of JSON, at most ${limits.maxBytes} are allowed` };
  }
  const { nodes } = candidate;
  if (Array.isArray(nodes) && nodes.length > limits.maxNodes) {
    return { path: 'nodes', message: `${nodes.length} nodes, at most ${limits.maxNodes} are allowed` };
  }
  const unstorable = storageProblem(text);
  return unstorable === undefined ? undefined : { path: '', message: unstorable };
}

function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let at = 0; at < depth; at += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return level.some((one) => typeof one === 'object' && one !== null);
}

function read(candidate: Record<string, unknown>, context: ValidationContext, problems: Problems): Definition {
  const shape = new Shape(candidate, '', problems);
  const trigger = readTrigger(shape.take('trigger'), context.catalogue, problems);
  const nodeList = shape.list('nodes');
  if (!shape.has('nodes')) shape.problem('nodes', 'required: expected a list of nodes');
  const nodes = readNodes(nodeList ?? [], problems, (index) => `nodes[${index}]`);
  const declared = declaredIds(nodeList ?? []);
  const edges = readEdges(shape.list('edges') ?? [], { nodes, declared }, problems);
  const output = shape.take('output') as Json | undefined;
  shape.refuseOthers('a definition');
  for (const placed of nodes) {
    checkParent(placed, nodeList ?? [], declared, problems);
    if (placed.node.type === 'action') checkAction(placed, context.catalogue, problems);
    else checkControl(placed, problems);
  }
  checkReferences(nodes, edges, output, declared, problems);
  return { trigger, nodes: nodes.map(({ node }) => canonicalNode(node)), edges, ...present('output', output) };
}

/** Equal forms have equal texts: what a field leaves out is filled in. */
function canonicalNode(node: Node): Node {
  const fields = node.type === 'input' ? node.inputs?.fields : undefined;
  if (!Array.isArray(fields) || !fields.every(isJsonObject)) return node;
  return { ...node, inputs: { ...node.inputs, fields: canonicalFields(fields) as unknown as Json } };
}

/** Also those of nodes that are wrong otherwise: an edge to one of them is no second mistake. */
function declaredIds(list: readonly unknown[]): Set<string> {
  return new Set(list.flatMap((one) => (isJsonObject(one) && typeof one.id === 'string' ? [one.id] : [])));
}

function checkParent(
  { node, path }: PlacedNode,
  list: readonly unknown[],
  declared: Set<string>,
  problems: Problems,
): void {
  const { id, parentId } = node;
  if (parentId === undefined) return;
  if (!declared.has(parentId)) {
    problems.add(`${path}.parentId`, `there is no node ${parentId}`, id);
    return;
  }
  const parent = list.find((one) => isJsonObject(one) && one.id === parentId) as { type?: unknown };
  // Only loops have children, and this version has no loops: their own type is refused where they stand.
  if (!(FUTURE_NODE_TYPES as readonly unknown[]).includes(parent.type)) {
    problems.add(`${path}.parentId`, `the node ${parentId} is no loop: it has no nodes inside`, id);
  }
}

function checkReferences(
  nodes: readonly PlacedNode[],
  edges: readonly Edge[],
  output: Json | undefined,
  declared: ReadonlySet<string>,
  problems: Problems,
): void {
  const isUpstream = upstreamOf([...declared], edges);
  for (const { node, path } of nodes) {
    const report = (place: string, message: string): void => problems.add(place, message, node.id);
    for (const found of checkExpressions(node.inputs ?? {}, `${path}.inputs`, report)) {
      checkSteps(found, declared, report, (step) =>
        isUpstream(node.id, step)
          ? undefined
          : `the node ${step} cannot have run before ${node.id}: no path leads from it`,
      );
      if (found.references.loop && node.parentId === undefined) report(found.path, 'loop is there inside loops only');
    }
  }
  if (output === undefined) return;
  const report = (place: string, message: string): void => problems.add(place, message);
  for (const found of checkExpressions(output, 'output', report)) {
    checkSteps(found, declared, report, () => undefined);
    if (found.references.loop) report(found.path, 'loop is there inside loops only');
  }
}

function checkSteps(
  { path, references }: PlacedReferences,
  declared: ReadonlySet<string>,
  report: (path: string, message: string) => void,
  problemOf: (step: string) => string | undefined,
): void {
  for (const step of references.steps) {
    const problem = declared.has(step) ? problemOf(step) : `there is no node ${step}: steps.${step} is never there`;
    if (problem !== undefined) report(path, problem);
  }
}
