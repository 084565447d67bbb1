import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Scope, StepScope } from '../../../../domain/expression/scope.ts';
import { isOneExpression } from '../../../../domain/expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { keysOfPath } from '../../../../domain/place.ts';
import {
  type Definition,
  isLoop,
  keepsOutputs,
  type Node,
  type TriggerNode,
} from '../../../../domain/workflow/definition.ts';
import { upstreamOf } from '../../../../domain/workflow/graph.ts';
import { loopsAround } from '../../../../domain/workflow/parents.ts';
import { walkingOrder } from './graphChanges.ts';

export type ExpressionPlace = { node: string } | 'output' | 'trigger';

/**
 * Returns the nodes whose output an expression may read, last first: domain/workflow/stepReferences.ts has the rule.
 */
function readableSteps(definition: Definition, place: ExpressionPlace): Node[] {
  if (place === 'trigger') return [];
  const { nodes, edges } = definition;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lastFirst = walkingOrder(definition)
    .reverse()
    .map((id) => byId.get(id) as Node);
  if (place === 'output') return lastFirst.filter(({ parentId }) => parentId === undefined);
  const isUpstream = upstreamOf(
    nodes.map(({ id }) => id),
    edges,
  );
  const around = loopsAround(byId, place.node);
  return lastFirst.filter(({ id, parentId }) => {
    const index = parentId === undefined ? around.length : around.indexOf(parentId);
    if (index === -1 || around.includes(id)) return false;
    return isUpstream(index === 0 ? place.node : (around[index - 1] as string), id);
  });
}

/** Returns the values that an expression may read: real ones, or else examples that show the members. */
export function knownValues(
  definition: Definition,
  place: ExpressionPlace,
  apps: readonly AppManifest[],
  variables: readonly string[],
  scope: Scope | undefined,
): JsonObject {
  const byId = new Map(definition.nodes.map((node) => [node.id, node]));
  const steps: JsonObject = {};
  for (const node of readableSteps(definition, place)) {
    const { id } = node;
    const seen = scope?.steps[id];
    const output = seen?.output ?? exampleOutput(node, apps);
    steps[id] = {
      output: output ?? null,
      ...errorOf(node, seen, scope !== undefined),
      ...(node.type === 'input' ? { link: 'https://…' } : {}),
    };
  }
  const trigger = scope?.trigger ?? exampleTrigger(definition.trigger);
  if (place === 'trigger') return { trigger };
  const known: JsonObject = {
    trigger,
    steps,
    variables: { ...Object.fromEntries(variables.map((name) => [name, null])), ...(scope?.variables ?? {}) },
    execution: scope?.execution ?? { id: '', number: 0, startedAt: '', workflowId: '', workflowName: '' },
  };
  const around = place === 'output' ? [] : loopsAround(byId, place.node);
  const own = place === 'output' ? undefined : byId.get(place.node);
  const loops = own !== undefined && own.type === 'repeat' ? [own.id, ...around] : around;
  if (loops.length === 0) return known;
  const example = (id: string): JsonObject =>
    byId.get(id)?.type === 'forEach' ? { item: null, index: 0, total: 0 } : { index: 0 };
  return {
    ...known,
    loop: (scope?.loop as unknown as Json | undefined) ?? example(loops[0] as string),
    loops: Object.fromEntries(loops.map((id) => [id, (scope?.loops?.[id] as unknown as Json) ?? example(id)])),
  };
}

const EXAMPLE_ERROR = { code: 'CODE', message: 'message' };
/** For a step that did not fail in the execution: empty members. */
const NO_ERROR = { code: '', message: '' };

/** If a node continues after a failure, later nodes can read its error. */
function errorOf({ onError }: Node, seen: StepScope | undefined, isReal: boolean): JsonObject {
  if (onError !== 'continue' && onError !== 'route') return {};
  return { error: { ...(seen?.error ?? (isReal ? NO_ERROR : EXAMPLE_ERROR)) } };
}

const EXAMPLE_ITEM = {
  ...{ id: '', externalId: null, data: {}, metadata: {}, priority: 0, objectId: null, retryCount: 0, createdAt: '' },
};

export function exampleTrigger(trigger: TriggerNode): Json {
  switch (trigger.type) {
    case 'manual':
      return Object.fromEntries((trigger.config.fields ?? []).map(({ key, default: value }) => [key, value ?? null]));
    case 'webhook':
      return { method: 'POST', headers: {}, query: {}, body: null };
    case 'schedule':
      return { scheduledAt: '', firedAt: '' };
    case 'poll':
      return { item: null };
    case 'queue':
      return { items: [EXAMPLE_ITEM] };
  }
}

function exampleOutput(node: Node, apps: readonly AppManifest[]): Json | undefined {
  const { type, inputs = {} } = node;
  if (isLoop(type)) return keepsOutputs(node) ? [] : { total: 0, completed: 0, failed: 0 };
  switch (type) {
    case 'action': {
      const app = apps.find(({ appId }) => appId === node.appId);
      const action = app?.actions.find(({ actionId }) => actionId === node.actionId);
      // The output of `set` is its values.
      if (node.appId === 'core' && node.actionId === 'set' && isJsonObject(inputs.values)) return inputs.values;
      return action?.outputExample ?? membersOf(action?.outputSchema);
    }
    case 'condition':
      return { result: true };
    case 'switch':
      return { case: '' };
    case 'delay':
      return { resumedAt: '' };
    case 'input': {
      const fields = Array.isArray(inputs.fields) ? inputs.fields.filter(isJsonObject) : [];
      return { ...Object.fromEntries(fields.map(({ key }) => [String(key), null])), submittedAt: '' };
    }
    default:
      return undefined;
  }
}

function membersOf(schema: { properties?: Record<string, unknown> } | undefined): Json | undefined {
  if (schema?.properties === undefined) return undefined;
  return Object.fromEntries(Object.keys(schema.properties).map((key) => [key, null]));
}

const PATH = /^[A-Za-z_][\w.[\]"]*$/;

/** Returns an input with known values in place of the paths that it reads; other expressions stay. */
export function exampleOf(input: Json, known: JsonObject): Json {
  if (Array.isArray(input)) return input.map((each) => exampleOf(each, known));
  if (isJsonObject(input)) {
    return Object.fromEntries(Object.entries(input).map(([key, each]) => [key, exampleOf(each, known)]));
  }
  if (typeof input !== 'string' || !isOneExpression(input)) return input;
  const path = input.slice(2, -2).replaceAll('?', '').trim();
  return PATH.test(path) ? (valueAt(known, keysOfPath(path)) ?? null) : input;
}

/** Returns the value at these keys; undefined if there is none. */
export function valueAt(root: Json, keys: readonly (string | number)[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}
