import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { FIND_ENTITIES, READ_ENTITY } from '../../../domain/agent/toolNames.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { type NamedType, namedTypes } from '../../../prisma/store/objectType/namedTypes.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { callAction } from '../../callAction.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_FOUND = 50;
const FOUND = 20;
const MAX_SEARCH_MS = 30_000;
const MAX_TEXT_LENGTH = 200;

/** Tools that find entities of the agent's types and read them or the entities that it names. They change nothing. */
export async function entityTools(
  { database }: ActivityServices,
  workspaceId: string,
  { objectIds, objectTypeIds, enabledToolPolicies }: AgentDefinition,
): Promise<OfferedTool[]> {
  const types = await namedTypes(database, workspaceId, objectTypeIds);
  const policyOf = (name: string) => enabledToolPolicies[name] ?? 'auto';
  const bound = { objectIds: [...objectIds], objectTypeIds: [...objectTypeIds] };
  const find: OfferedTool = {
    name: FIND_ENTITIES,
    description: `Finds entities. Types: ${types.map(nameOfType).join('; ')}`,
    inputSchema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: types.map(({ slug }) => slug) },
        search: {
          type: 'string',
          maxLength: MAX_TEXT_LENGTH,
          description: 'Words of the name; it does not look in attributes',
        },
        attributes: { type: 'object', description: 'Values that attributes have, whole: {"colour": "red"}' },
        states: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: FOUND },
      },
      required: ['type'],
      additionalProperties: false,
    },
    kind: 'entity',
    policy: policyOf(FIND_ENTITIES),
    bound,
    problems: (input) => problemsOfFind(types, input),
  };
  const named = objectIds.length === 0 ? '' : ` These are known: ${objectIds.join(', ')}`;
  const read: OfferedTool = {
    name: READ_ENTITY,
    description: `Reads an entity with its attributes.${named}`,
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
    kind: 'entity',
    policy: policyOf(READ_ENTITY),
    bound,
    problems: ({ id, ...more }) => [
      ...(isUuid(String(id)) ? [] : ['id: expected the id of an entity']),
      ...unknown(more, ['id']),
    ],
  };
  return [...(types.length > 0 ? [find] : []), ...(types.length > 0 || objectIds.length > 0 ? [read] : [])];
}

function nameOfType({ slug, name, description }: NamedType): string {
  return `${slug} is ${name}${description === null ? '' : `: ${description}`}`;
}

function problemsOfFind(types: readonly NamedType[], input: JsonObject): string[] {
  const { type, search, attributes, states, limit, ...more } = input;
  const isStates = states === undefined || (Array.isArray(states) && states.every((each) => typeof each === 'string'));
  const isLimit = limit === undefined || (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_FOUND);
  const isSearch = search === undefined || (typeof search === 'string' && search.length <= MAX_TEXT_LENGTH);
  return [
    ...(types.some(({ slug }) => slug === type)
      ? []
      : [`type: expected one of ${types.map(({ slug }) => slug).join(', ')}`]),
    ...(isSearch ? [] : [`search: expected a text of at most ${MAX_TEXT_LENGTH} characters`]),
    ...(attributes === undefined || isJsonObject(attributes) ? [] : ['attributes: expected an object']),
    ...(isStates ? [] : ['states: expected a list of texts']),
    ...(isLimit ? [] : [`limit: expected a whole number from 1 to ${MAX_FOUND}`]),
    ...unknown(more, ['type', 'search', 'attributes', 'states', 'limit']),
  ];
}

function unknown(more: JsonObject, known: readonly string[]): string[] {
  return Object.keys(more).map((key) => `${key}: unknown key, expected one of ${known.join(', ')}`);
}

export async function acceptEntity(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  return call.name === FIND_ENTITIES ? found(services, call) : read(services, call);
}

async function found(
  services: ActivityServices,
  { workspaceId, runId, toolCallId, input }: ToolToRun,
): Promise<AcceptedTool> {
  const { type, limit = FOUND, ...search } = input;
  const result = await callAction(services, {
    ...{ appId: 'objects', actionId: 'find', inputs: { ...search, objectTypeSlug: type ?? '', limit } },
    ...{
      origin: { workspaceId, executionId: runId },
      key: toolCallId,
      attempt: 1,
      clock: { timeoutMs: MAX_SEARCH_MS },
    },
  });
  return result.ok ? { kind: 'done', output: result.output } : { kind: 'refused', error: result.failure.message };
}

async function read({ database }: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, runId, definition, input } = call;
  const id = String(input.id).toLowerCase();
  const absent = { kind: 'refused', error: `There is no entity ${id} that the agent may read` } as const;
  const viewer = { kind: 'execution', workspaceId, executionId: runId, permissions: new Set<never>() } as const;
  try {
    const item = await readResource(database, viewer, OBJECT, id, { query: { expansion: 'attributes' } });
    const isOfAgent = definition.objectIds.includes(id) || definition.objectTypeIds.includes(String(item.objectTypeId));
    return isOfAgent ? { kind: 'done', output: item as Json } : absent;
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return absent;
    throw error;
  }
}
