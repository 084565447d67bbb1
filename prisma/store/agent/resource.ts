import { isGrantOnly } from '../../../domain/access/viewer.ts';
import { Prisma } from '../../generated/client.ts';
import { LAST_UPDATED } from '../order.ts';
import { equalFilter, isoTime, named, type Resource, type ResourceField, uuidFilter } from '../resource.ts';
import { maySeeAgent } from './agentAccess.ts';

/** Settings that are returned as stored. */
const AS_KEPT = [
  'profileImageUrl',
  'temperature',
  'maxOutputTokens',
  'topP',
  'frequencyPenalty',
  'presencePenalty',
  'maxRetries',
  'seed',
  'maxToolRoundtrips',
  'messageLookbackLimit',
  'contextTokens',
  'webAccess',
  'phoneAccess',
  'selectedModelId',
  'taskNamingInstructions',
  'enabledBuiltInTools',
  'enabledPlatformTools',
  'mcpServers',
  'a2aAgents',
  'dynamicActionDiscoveryEnabled',
  'dynamicMcpDiscoveryEnabled',
  'dynamicSelfInstructionsEnabled',
  'memoryEnabled',
  'memoryScope',
  'memoryRetentionDays',
  'enablePlanning',
  'enableToolResultOffload',
  'toolResultOffloadThresholdBytes',
  'longHorizonMode',
  'longHorizonMaxSteps',
  'longHorizonMaxTokensPerRun',
  'enabledToolPolicies',
  'forcedTools',
  'requirePlanApproval',
  'suggestedPrompts',
  'exposeAsTool',
] as const;

/** Long values, which are returned while the answer has bytes left. */
const LARGE: ReadonlySet<string> = new Set(['mcpServers', 'enabledToolPolicies', 'suggestedPrompts']);

const GRANT_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'FK_aiConnectionId',
  'description',
  'profileImageUrl',
  'suggestedPrompts',
]);

export const AGENT: Resource = {
  name: 'agent',
  noun: 'agent',
  hasTag: true,
  usedAs: 'agent',
  table: Prisma.sql`agents`,
  place: Prisma.sql`'/api/agents/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    FK_aiConnectionId: { sql: Prisma.sql`t.definition ->> 'aiConnectionId'` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    description: { sql: Prisma.sql`t.description` },
    slug: { sql: Prisma.sql`t.slug` },
    managedByCode: { sql: Prisma.sql`t.managed_by_code` },
    owner: { sql: Prisma.sql`t.applied_owner` },
    instructions: { sql: setting('instructions'), large: {} },
    ...Object.fromEntries(
      AS_KEPT.map((name): [string, ResourceField] => [
        name,
        LARGE.has(name) ? { sql: setting(name), large: {} } : { sql: setting(name) },
      ]),
    ),
    project: { sql: named(Prisma.sql`projects`, Prisma.sql`t.project_id`) },
    tools: { sql: setting('tools'), large: {} },
    toolIds: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(tool ->> 'appId' || '.' || (tool ->> 'actionId')), '[]')
        FROM jsonb_array_elements(t.definition -> 'tools') tool)`,
    },
    knowledge: { sql: among('knowledge_bases', 'knowledgeIds') },
    objects: { sql: among('objects', 'objectIds', Prisma.sql`AND n.deleted_at IS NULL`) },
    objectTypes: { sql: among('object_types', 'objectTypeIds') },
    connections: { sql: among('connections', 'connectionIds') },
    variables: { sql: among('variables', 'variableIds') },
    workflows: { sql: among('workflows', 'workflowIds') },
    subAgents: { sql: among('agents', 'subAgentIds') },
    aiConnection: {
      sql: named(Prisma.sql`connections`, Prisma.sql`(t.definition ->> 'aiConnectionId')::uuid`),
    },
    selfInstructions: {
      sql: Prisma.sql`CASE WHEN t.self_instructions IS NOT NULL THEN json_build_object('version', t.self_instructions_version,
        'instructions', t.self_instructions) END`,
    },
    selfInstructionVersions: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(json_build_object('version', s.version, 'instructions', s.instructions,
          'runId', s.run_id, 'createdAt', ${isoTime(Prisma.sql`s.created_at`)}) ORDER BY s.version DESC), '[]')
        FROM agent_self_instructions s WHERE s.agent_id = t.id)`,
      large: {},
    },
    builderSetupCompletedAt: { sql: isoTime(Prisma.sql`t.builder_setup_completed_at`) },
    builderCanvasPositions: { sql: Prisma.sql`t.builder_canvas_positions`, large: {} },
  },
  defaults: { list: ['id', 'name', 'FK_aiConnectionId'], single: ['id', 'name', 'FK_aiConnectionId'] },
  filters: {
    slug: equalFilter('of the slug', Prisma.sql`t.slug`),
    projectId: uuidFilter('of the project', (id) => Prisma.sql`t.project_id = ${id}`),
  },
  flags: { all: 'everything in the workspace that the caller may see; currently the same rows' },
  visible: (_flags, viewer) => maySeeAgent(viewer, Prisma.sql`t.id`),
  shownTo: (viewer) => (isGrantOnly(viewer) ? GRANT_ONLY_FIELDS : undefined),
  order: LAST_UPDATED,
};

function setting(name: string): Prisma.Sql {
  return Prisma.raw(`t.definition -> '${name}'`);
}

/** Returns `[{id, name}]` of the existing rows that a setting contains, ordered by name. */
function among(table: string, ids: string, more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) ORDER BY n.name, n.id), '[]')
    FROM ${Prisma.raw(table)} n WHERE n.workspace_id = t.workspace_id
      AND n.id IN (SELECT e.id::uuid FROM jsonb_array_elements_text(${setting(ids)}) AS e (id)) ${more})`;
}
