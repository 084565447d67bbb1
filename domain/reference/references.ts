import { type Catalogue, findAction, findTrigger, type InputConfig } from '../app/manifest.ts';
import { holdsExpression } from '../expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { subschemas } from '../object/subschemas.ts';
import { ownMember, setKey } from '../ownMember.ts';
import { pathIn, pathTo } from '../place.ts';
import type { FieldReference, Reference, ReferenceKind } from './reference.ts';

export type ReferringKind = 'workflow' | 'agent' | 'objectType';

/** `resource` is the body of an upsert or its stored form. Expressions and members of a wrong shape are skipped. */
export function referencesIn(kind: ReferringKind, resource: JsonObject, catalogue: Catalogue): Reference[] {
  return slotsOf(kind, resource, catalogue).map(({ path, kind: of, by, name }) => ({ path, kind: of, by, name }));
}

export function withReferences(
  kind: ReferringKind,
  resource: JsonObject,
  catalogue: Catalogue,
  replacement: (reference: Reference) => string,
): JsonObject {
  const copy = structuredClone(resource);
  for (const { holder, key, ...reference } of slotsOf(kind, copy, catalogue)) {
    const name = replacement(reference);
    if (Array.isArray(holder)) holder[Number(key)] = name;
    else setKey(holder, String(key), name);
  }
  return copy;
}

interface Slot extends Reference {
  holder: JsonObject | Json[];
  key: string | number;
}

function slotsOf(kind: ReferringKind, resource: JsonObject, catalogue: Catalogue): Slot[] {
  if (kind === 'workflow') return slotsOfWorkflow(resource, catalogue);
  return kind === 'agent' ? slotsOfAgent(resource, catalogue) : slotsOfType(resource);
}

/** Returns the member if it names a resource. An empty text names none. */
function slot(holder: JsonObject, path: string, key: string, of: FieldReference): Slot[] {
  const name = ownMember(holder, key);
  if (typeof name !== 'string' || name === '' || holdsExpression(name)) return [];
  return [{ path: pathTo(path, key), ...of, name, holder, key }];
}

const CONNECTION: FieldReference = { kind: 'connection', by: 'id' };

function slotsOfWorkflow(workflow: JsonObject, catalogue: Catalogue): Slot[] {
  const each = (list: string, slotsAt: (node: JsonObject, path: string) => Slot[]) =>
    objectsIn(workflow, list, '').flatMap(([node, path]) => slotsAt(node, path));
  return [
    ...slot(workflow, '', 'onFailureWorkflowId', { kind: 'workflow', by: 'id' }),
    ...slotsOfTrigger(workflow.trigger, catalogue),
    ...each('nodes', (node, path) => slotsOfNode(node, path, catalogue)),
    ...each('steps', (step, path) => slotsOfAction(step, path, catalogue)),
  ];
}

function slotsOfTrigger(trigger: Json | undefined, catalogue: Catalogue): Slot[] {
  if (!isJsonObject(trigger) || !isJsonObject(trigger.config)) return [];
  const { type, config } = trigger;
  const path = 'trigger.config';
  if (type === 'queue') return slot(config, path, 'queueId', { kind: 'queue', by: 'id' });
  if (type !== 'poll') return [];
  const { inputConfig } = findTrigger(catalogue, String(config.appId), String(config.triggerId)) ?? {};
  return [...slot(config, path, 'connectionId', CONNECTION), ...slotsOfInputs(config, path, inputConfig)];
}

function slotsOfNode(node: JsonObject, path: string, catalogue: Catalogue): Slot[] {
  if (node.type !== 'runWorkflow') return slotsOfAction(node, path, catalogue);
  if (!isJsonObject(node.inputs)) return [];
  const by = node.inputs.workflowId == null ? 'slug' : 'id';
  const key = by === 'id' ? 'workflowId' : 'slug';
  return slot(node.inputs, pathTo(path, 'inputs'), key, { kind: 'workflow', by });
}

function slotsOfAction(action: JsonObject, path: string, catalogue: Catalogue): Slot[] {
  const { inputConfig } = findAction(catalogue, String(action.appId), String(action.actionId)) ?? {};
  return [...slot(action, path, 'connectionId', CONNECTION), ...slotsOfInputs(action, path, inputConfig)];
}

function slotsOfInputs({ inputs }: JsonObject, path: string, config: InputConfig | undefined): Slot[] {
  if (!isJsonObject(inputs)) return [];
  const named = Object.entries(config?.refersTo ?? {});
  return named.flatMap(([key, reference]) => slot(inputs, pathTo(path, 'inputs'), key, reference));
}

const LISTS = {
  connectionIds: 'connection',
  workflowIds: 'workflow',
  subAgentIds: 'agent',
  knowledgeIds: 'knowledge',
  objectIds: 'object',
  objectTypeIds: 'objectType',
  variableIds: 'variable',
} as const satisfies Record<string, ReferenceKind>;

function slotsOfAgent(agent: JsonObject, catalogue: Catalogue): Slot[] {
  return [
    ...slot(agent, '', 'aiConnectionId', CONNECTION),
    ...Object.entries(LISTS).flatMap(([list, kind]) => slotsOfList(agent, list, kind)),
    ...objectsIn(agent, 'tools', '').flatMap(([tool, path]) => slotsOfAction(tool, path, catalogue)),
    ...objectsIn(agent, 'mcpServers', '').flatMap(([server, path]) => slot(server, path, 'connectionId', CONNECTION)),
  ];
}

function slotsOfList(agent: JsonObject, list: string, kind: ReferenceKind): Slot[] {
  const holder = ownMember(agent, list);
  if (!Array.isArray(holder)) return [];
  return holder.flatMap((name, key): Slot[] =>
    typeof name === 'string' ? [{ path: pathTo(list, key), kind, by: 'id', name, holder, key }] : [],
  );
}

const TYPE_SLUG = 'x-objectType';

function slotsOfType({ attributeSchema }: JsonObject): Slot[] {
  if (!isJsonObject(attributeSchema)) return [];
  const found: Slot[] = [];
  const look = (schema: JsonObject, keys: readonly string[]): void => {
    found.push(
      ...slot(schema, pathIn('attributeSchema', keys, attributeSchema), TYPE_SLUG, { kind: 'objectType', by: 'slug' }),
    );
    for (const inside of subschemas(schema)) look(inside.schema, [...keys, ...inside.place]);
  };
  look(attributeSchema, []);
  return found;
}

function objectsIn(holder: JsonObject, list: string, path: string): [object: JsonObject, path: string][] {
  const entries = ownMember(holder, list);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry, index): [JsonObject, string][] =>
    isJsonObject(entry) ? [[entry, pathTo(pathTo(path, list), index)]] : [],
  );
}
