import type { Viewer } from '../../../domain/access/viewer.ts';
import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { isPlatform, type PlatformTool } from '../../../domain/agent/toolNames.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../../prisma/client.ts';
import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { listResource } from '../../../prisma/store/listResource.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import type { Resource } from '../../../prisma/store/resource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_LISTED = 50;

interface Platform {
  description: string;
  keys: readonly string[];
  required: readonly string[];
  run(database: Database, viewer: Viewer, input: JsonObject): Promise<Json>;
}

const TOOLS: Readonly<Record<PlatformTool, Platform>> = {
  list_workflows: {
    description: 'Lists workflows of the workspace, the last changed first.',
    keys: [],
    required: [],
    run: (database, viewer) => listed(database, viewer, WORKFLOW, 'slug,description,isActive'),
  },
  list_executions: {
    description:
      'Lists executions of the workspace, the newest first. status: PENDING, RUNNING, WAITING, NEEDS_INPUT, COMPLETED, FAILED, CANCELLED or TIMED_OUT.',
    keys: ['workflowId', 'status'],
    required: [],
    run: (database, viewer, { workflowId, status }) => {
      const filters = [
        ...(workflowId === undefined ? [] : [`workflowId:${workflowId}`]),
        ...(status === undefined ? [] : [`status:${status}`]),
      ];
      return listed(database, viewer, EXECUTION, 'name,status,statusMessage,startedAt,stoppedAt', filters.join(','));
    },
  },
  read_execution: {
    description: 'Reads how an execution stands, and its output.',
    keys: ['executionId'],
    required: ['executionId'],
    run: async (database, viewer, { executionId }) => {
      if (!isUuid(String(executionId))) throw new Problem('NOT_FOUND', 'executionId: expected the id of an execution');
      const expansion = 'name,status,statusMessage,startedAt,stoppedAt,output';
      return (await readResource(database, viewer, EXECUTION, String(executionId), { query: { expansion } })) as Json;
    },
  },
  list_queues: {
    description: 'Lists queues of the workspace with how many items of each status they have.',
    keys: [],
    required: [],
    run: (database, viewer) => listed(database, viewer, QUEUE, 'description,itemCounts'),
  },
};

async function listed(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  expansion: string,
  filterBy = '',
): Promise<Json> {
  const query = { expansion, limit: MAX_LISTED, ...(filterBy === '' ? {} : { filterBy }) };
  const { items, nextCursor } = await listResource(database, viewer, resource, query);
  return { items: items as Json, hasMore: nextCursor !== undefined };
}

export function platformTools({ enabledPlatformTools, enabledToolPolicies }: AgentDefinition): OfferedTool[] {
  return enabledPlatformTools.filter(isPlatform).map((name): OfferedTool => {
    const { description, keys, required } = TOOLS[name];
    return {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
        ...(required.length === 0 ? {} : { required: [...required] }),
        additionalProperties: false,
      },
      kind: 'platform',
      policy: enabledToolPolicies[name] ?? 'auto',
      problems: (input) => problemsOf(TOOLS[name], input),
    };
  });
}

function problemsOf({ keys, required }: Platform, input: JsonObject): string[] {
  const expected = keys.length === 0 ? 'none' : `one of ${keys.join(', ')}`;
  return [
    ...required.filter((key) => input[key] === undefined).map((key) => `${key}: required`),
    ...Object.entries(input).flatMap(([key, value]) => {
      if (!keys.includes(key)) return [`${key}: unknown key, expected ${expected}`];
      return typeof value === 'string' && !value.includes(',') ? [] : [`${key}: expected a text without commas`];
    }),
  ];
}

/** Reads the workspace like the API's operations, with the same masking. */
export async function acceptPlatform({ database }: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, runId, name, input } = call;
  if (!isPlatform(name)) return { kind: 'refused', error: 'The agent no longer has this tool' };
  const viewer: Viewer = { kind: 'execution', workspaceId, executionId: runId, permissions: new Set() };
  try {
    return { kind: 'done', output: await TOOLS[name].run(database, viewer, input) };
  } catch (error) {
    if (error instanceof Problem) return { kind: 'refused', error: error.message };
    throw error;
  }
}
