import { maskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime, type Resource } from '../resource.ts';
import { WORKFLOW } from './resource.ts';

/** The user or the key; null if unknown. The name is absent if it is gone. */
export function authorOf({ type, id, workspace }: { type: Prisma.Sql; id: Prisma.Sql; workspace: Prisma.Sql }) {
  return Prisma.sql`(SELECT json_strip_nulls(json_build_object('type', ${type}, 'id', ${id}, 'name', CASE ${type}
    WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = ${id})
    WHEN 'apiKey' THEN (SELECT k.name FROM api_keys k WHERE k.id = ${id} AND k.workspace_id = ${workspace})
  END)) WHERE ${type} IS NOT NULL)`;
}

const CREATED_BY = authorOf({
  type: Prisma.sql`t.created_by_type`,
  id: Prisma.sql`t.created_by_id`,
  workspace: Prisma.sql`t.workspace_id`,
});

/** Versions of a workflow, which are immutable: each change of its definition made one. */
export const WORKFLOW_VERSION: Resource = {
  name: 'workflowVersion',
  noun: 'version',
  table: Prisma.sql`workflow_versions`,
  place: Prisma.sql`'/api/workflows/' || t.workflow_id || '/versions/' || t.version`,
  param: 'version',
  keys: { version: Prisma.sql`t.version::text` },
  scope: { workflowId: { column: Prisma.sql`t.workflow_id`, parent: WORKFLOW } },
  fields: {
    version: { sql: Prisma.sql`t.version` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    createdBy: { sql: CREATED_BY },
    openExecutions: {
      sql: Prisma.sql`(SELECT count(*) FROM executions e WHERE e.workspace_id = t.workspace_id
        AND e.workflow_id = t.workflow_id AND e.workflow_version = t.version AND e.stopped_at IS NULL)`,
    },
    triggerNode: { sql: Prisma.sql`t.definition -> 'trigger'`, present: maskTrigger, singleOnly: true },
    nodes: { sql: Prisma.sql`t.definition -> 'nodes'`, singleOnly: true },
    edges: { sql: Prisma.sql`t.definition -> 'edges'`, singleOnly: true },
    output: { sql: Prisma.sql`t.definition -> 'output'`, singleOnly: true },
    labels: { sql: Prisma.sql`coalesce(t.definition -> 'labels', '{}')`, singleOnly: true },
    notes: { sql: Prisma.sql`coalesce(t.definition -> 'notes', '[]')`, singleOnly: true },
  },
  defaults: {
    list: ['version', 'createdAt', 'createdBy', 'openExecutions'],
    single: [
      'version',
      'createdAt',
      'createdBy',
      'openExecutions',
      'triggerNode',
      'nodes',
      'edges',
      'output',
      'labels',
      'notes',
    ],
  },
  filters: {},
  flags: { all: 'everything in the workspace; currently the same rows' },
  order: { name: '-version', keys: [{ sql: Prisma.sql`t.version`, type: 'int', direction: 'desc' }] },
};
