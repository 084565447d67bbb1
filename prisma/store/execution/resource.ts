import { Prisma } from '../../generated/client.ts';
import { enumFilter, isoTime, named, type Resource, uuidFilter } from '../resource.ts';
import { executionPath, PENDING_INPUT_SQL, pendingInput, STEPS_SQL } from './executionPath.ts';

/** Its own (source SDK), or its version's. */
const DEFINITION = Prisma.sql`coalesce(t.definition,
  (SELECT v.definition FROM workflow_versions v WHERE v.id = t.version_id))`;

const REFERENCE = Prisma.sql`json_build_object('id', e.id, 'name', e.name, 'status', e.status)`;

export const EXECUTION: Resource = {
  name: 'execution',
  noun: 'execution',
  table: Prisma.sql`executions`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    startedAt: { sql: isoTime(Prisma.sql`t.started_at`) },
    stoppedAt: { sql: isoTime(Prisma.sql`t.stopped_at`) },
    executionNumber: { sql: Prisma.sql`t.number` },
    nodes: { sql: Prisma.sql`${DEFINITION} -> 'nodes'` },
    edges: { sql: Prisma.sql`${DEFINITION} -> 'edges'` },
    status: { sql: Prisma.sql`t.status` },
    statusMessage: { sql: Prisma.sql`t.status_message` },
    continueExecutionAt: {
      sql: Prisma.sql`CASE WHEN t.status = 'WAITING' THEN (
        SELECT ${isoTime(Prisma.sql`min(s.wake_at)`)} FROM execution_steps s
        WHERE s.execution_id = t.id AND s.status IN ('RETRYING', 'WAITING')) END`,
    },
    workflow: { sql: named(Prisma.sql`workflows`, Prisma.sql`t.workflow_id`) },
    project: { sql: named(Prisma.sql`projects`, Prisma.sql`t.project_id`) },
    workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
    output: { sql: Prisma.sql`t.output` },
    orientation: {
      sql: Prisma.sql`coalesce((SELECT w.orientation FROM workflows w WHERE w.id = t.workflow_id), 'horizontal')`,
    },
    executionVariables: { sql: Prisma.sql`t.variables` },
    source: { sql: Prisma.sql`t.source` },
    name: { sql: Prisma.sql`t.name` },
    parentExecution: { sql: Prisma.sql`(SELECT ${REFERENCE} FROM executions e WHERE e.id = t.parent_execution_id)` },
    childExecutions: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(${REFERENCE} ORDER BY e.started_at, e.id), '[]')
        FROM executions e WHERE e.workspace_id = t.workspace_id AND e.parent_execution_id = t.id)`,
    },
    retryOf: { sql: Prisma.sql`(SELECT ${REFERENCE} FROM executions e WHERE e.id = t.retry_of_id)` },
    executionPath: { sql: STEPS_SQL, present: executionPath, singleOnly: true },
    pendingInput: { sql: PENDING_INPUT_SQL, present: pendingInput, singleOnly: true },
  },
  defaults: { list: ['id'], single: ['id', 'startedAt'] },
  filters: {
    projectId: uuidFilter('of the project', (id) => Prisma.sql`t.project_id = ${id}`),
    workflowId: uuidFilter('of the workflow', (id) => Prisma.sql`t.workflow_id = ${id}`),
    source: enumFilter('of stored workflows or of ad-hoc runs', Prisma.sql`t.source`, ['WORKFLOW', 'SDK']),
  },
  flags: { all: 'all of the workspace; the same set for now', internal: 'executions of internal workflows too' },
  visible: (flags) => (flags.has('internal') ? Prisma.sql`true` : Prisma.sql`NOT t.is_internal`),
  newestBy: Prisma.sql`t.started_at`,
};
