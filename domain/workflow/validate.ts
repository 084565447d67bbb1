import type { Catalogue } from '../app/manifest.ts';
import { charactersOf, expressionsOf } from '../expression/expressionsOf.ts';
import { canonicalFields } from '../fieldDeclaration.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type Json } from '../json.ts';
import { isDeeperThan, MAX_DEPTH } from '../jsonDepth.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { storageProblem } from '../storableJson.ts';
import { checkAction } from './actionInputs.ts';
import { checkWays } from './check/checkWays.ts';
import { checkCode } from './check/codeSyntax.ts';
import { checkEntities, type KnownTypes } from './check/entities.ts';
import { checkQueueData, type KnownQueues } from './check/queueData.ts';
import { checkTriggerFields } from './check/triggerFields.ts';
import { checkVariables, type KnownVariables } from './check/variables.ts';
import { checkWorkflowInputs, type FieldsOf } from './check/workflowInput.ts';
import { type Allowances, checkControl, givenInputs } from './controlInputs.ts';
import type { Definition, Node } from './definition.ts';
import { readEdges } from './edgeShape.ts';
import { readLabels } from './labelShape.ts';
import { memberIfPresent, readNodes } from './nodeShape.ts';
import { readNotes } from './noteShape.ts';
import { checkParents } from './parents.ts';
import { Problems } from './problems.ts';
import { Shape } from './shape.ts';
import { checkStarters } from './starters.ts';
import { checkReferences } from './stepReferences.ts';
import { readTrigger } from './triggerShape.ts';

export interface DefinitionLimits extends Allowances {
  maxBytes: number;
  maxNodes: number;
  maxExpressions: number;
}

export function definitionLimits(config: {
  MAX_DEFINITION_BYTES: number;
  MAX_DEFINITION_NODES: number;
  MAX_DEFINITION_EXPRESSIONS: number;
  WEBHOOK_URL?: string | undefined;
}): DefinitionLimits {
  return {
    maxBytes: config.MAX_DEFINITION_BYTES,
    maxNodes: config.MAX_DEFINITION_NODES,
    maxExpressions: config.MAX_DEFINITION_EXPRESSIONS,
    mayScript: config.WEBHOOK_URL !== undefined,
  };
}

export interface ValidationContext {
  catalogue: Catalogue;
  limits: DefinitionLimits;
}

/** The caller's knowledge of other resources. Without it, nothing that depends on them is checked. */
export interface Surroundings {
  /** Another workflow names it as its error workflow. */
  isErrorWorkflow?: boolean | undefined;
  fieldsOf?: FieldsOf | undefined;
  variables?: KnownVariables | undefined;
  types?: KnownTypes | undefined;
  queues?: KnownQueues | undefined;
}

/** Has the definition if `problems` are warnings alone. */
export interface Validation {
  definition?: Definition;
  /** The readable part, even if there are errors; absent beyond a limit. */
  readable?: Definition;
  problems: ProblemDetail[];
}

/** A valid definition can be run. Callers check connections and variables, since they have access to the rows. */
export function validateDefinition(candidate: unknown, context: ValidationContext & Surroundings): Validation {
  const limits = limitProblem(candidate, context.limits);
  if (limits !== undefined) return { problems: [limits] };
  const problems = new Problems();
  const definition = read(candidate as Record<string, unknown>, context, problems);
  return { problems: problems.all, readable: definition, ...(problems.hasErrors ? {} : { definition }) };
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
  const characters = charactersOf(expressionsOf({ ...candidate, notes: undefined }));
  if (characters > limits.maxExpressions) {
    const most = `at most ${limits.maxExpressions} are allowed (MAX_DEFINITION_EXPRESSIONS)`;
    return { path: '', message: `the expressions of the definition have ${characters} characters, ${most}` };
  }
  const unstorable = storageProblem(text);
  return unstorable === undefined ? undefined : { path: '', message: unstorable };
}

function read(
  candidate: Record<string, unknown>,
  context: ValidationContext & Surroundings,
  problems: Problems,
): Definition {
  const shape = new Shape(candidate, '', problems);
  const trigger = readTrigger(shape.take('trigger'), context.catalogue, problems);
  const nodeList = shape.list('nodes');
  if (!shape.has('nodes')) shape.problem('nodes', 'required: expected a list of nodes');
  const nodes = readNodes(nodeList ?? [], problems, (index) => pathTo('nodes', index));
  const declared = declaredIds(nodeList ?? []);
  const edges = readEdges(shape.list('edges') ?? [], { nodes, declared }, problems);
  const output = shape.take('output') as Json | undefined;
  const labels = readLabels(shape, problems);
  const notes = readNotes(shape, problems);
  shape.refuseOthers('a definition');
  checkParents(nodes, declared, problems);
  for (const placed of nodes) {
    if (placed.node.type === 'action') checkAction(placed, context.catalogue, problems);
    else checkControl(placed, problems, context.limits);
    checkCode(placed, problems);
  }
  checkStarters(nodes, trigger, problems);
  if (context.fieldsOf !== undefined) checkWorkflowInputs(nodes, context.fieldsOf, problems);
  if (context.variables !== undefined) checkVariables({ nodes, output }, context.variables, problems);
  if (context.types !== undefined) checkEntities({ nodes, trigger }, context.types, problems);
  if (context.queues !== undefined) checkQueueData(nodes, context.queues, problems);
  checkTriggerFields({ nodes, output, trigger, isErrorWorkflow: context.isErrorWorkflow }, problems);
  checkReferences(nodes, edges, output, trigger, { declared, catalogue: context.catalogue }, problems);
  if (!problems.all.some(({ path }) => OF_THE_GRAPH.test(path))) checkWays({ nodes, edges, output }, problems);
  return {
    trigger,
    nodes: nodes.map(({ node }) => canonicalNode(withDigest(node, context.catalogue))),
    edges,
    ...memberIfPresent('output', output),
    ...memberIfPresent('labels', labels),
    ...memberIfPresent('notes', notes),
  };
}

/** Places of problems with which a graph cannot be followed. */
const OF_THE_GRAPH = /^(nodes$|edges|nodes\[\d+\](\.(id|type|parentId))?$)/;

function withDigest(node: Node, catalogue: Catalogue): Node {
  const digest = catalogue.get(node.appId ?? '')?.custom?.digest;
  return digest === undefined ? node : { ...node, appDigest: digest };
}

/** Makes equal nodes give equal texts: removes null inputs and fills in omitted members of form fields. */
function canonicalNode(node: Node): Node {
  const inputs = givenInputs(node);
  const given = { ...node, ...memberIfPresent('inputs', inputs) };
  const fields = node.type === 'input' ? inputs?.fields : undefined;
  if (!Array.isArray(fields) || !fields.every(isJsonObject)) return given;
  return { ...given, inputs: { ...inputs, fields: canonicalFields(fields) as unknown as Json } };
}

/** Includes nodes with other problems, so that an edge to one of them is not reported too. */
function declaredIds(list: readonly unknown[]): Set<string> {
  return new Set(list.flatMap((one) => (isJsonObject(one) && typeof one.id === 'string' ? [one.id] : [])));
}
