import { Problem } from '../../../domain/problem.ts';
import { TRIGGER_TYPES } from '../../../domain/workflow/definition.ts';
import { maskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import { LAST_UPDATED } from '../order.ts';
import {
  anyOfFilter,
  booleanFilter,
  equalFilter,
  isoTime,
  named,
  type Refusal,
  type Resource,
  type ResourceField,
  textFilter,
  uuidFilter,
} from '../resource.ts';
import { mayName, USED_BY, usedBySql } from './usedByField.ts';

/** Null if no version was published. */
const DEFINITION = Prisma.sql`(SELECT v.definition FROM workflow_versions v WHERE v.id = t.version_id)`;
const TRIGGER_TYPE = Prisma.sql`${DEFINITION} #>> '{trigger,type}'`;

export const WORKFLOW: Resource = {
  name: 'workflow',
  noun: 'workflow',
  hasTag: true,
  usedAs: 'workflow',
  table: Prisma.sql`workflows`,
  place: Prisma.sql`'/api/workflows/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    isActive: { sql: Prisma.sql`t.is_active` },
    isInternal: { sql: Prisma.sql`t.is_internal` },
    timeoutMs: { sql: Prisma.sql`t.timeout_ms` },
    onFailureWorkflowId: { sql: Prisma.sql`t.on_failure_workflow_id` },
    paused: { sql: Prisma.sql`t.is_paused` },
    maxConcurrent: { sql: Prisma.sql`t.max_concurrent` },
    exposeAsTool: { sql: Prisma.sql`t.expose_as_tool` },
    heldExecutions: { sql: Prisma.sql`(SELECT count(*) FROM executions e WHERE e.workflow_id = t.id AND e.held)` },
    description: { sql: Prisma.sql`t.description` },
    output: { sql: Prisma.sql`${DEFINITION} -> 'output'`, large: { orNull: true } },
    labels: { sql: Prisma.sql`coalesce(${DEFINITION} -> 'labels', '{}')`, large: {} },
    notes: { sql: Prisma.sql`coalesce(${DEFINITION} -> 'notes', '[]')`, large: {} },
    project: { sql: named(Prisma.sql`projects`, Prisma.sql`t.project_id`) },
    nodes: { sql: Prisma.sql`coalesce(${DEFINITION} -> 'nodes', '[]')`, large: {} },
    edges: { sql: Prisma.sql`coalesce(${DEFINITION} -> 'edges', '[]')`, large: {} },
    triggerNode: { sql: Prisma.sql`${DEFINITION} -> 'trigger'`, present: maskTrigger, large: {} },
    triggerAndActionIds: {
      sql: Prisma.sql`(
        SELECT json_build_object('triggerId', CASE
          WHEN v.definition #> '{trigger,config}' ? 'appId'
          THEN concat_ws('.', v.definition #>> '{trigger,config,appId}', v.definition #>> '{trigger,config,triggerId}')
          ELSE v.definition #>> '{trigger,type}' END, 'actionIds', (
          SELECT coalesce(json_agg(DISTINCT n ->> 'appId' || '.' || (n ->> 'actionId')), '[]')
          FROM jsonb_array_elements(v.definition -> 'nodes') n WHERE n ? 'actionId'))
        FROM workflow_versions v WHERE v.id = t.version_id)`,
    },
    pollStorage: {
      sql: Prisma.sql`(SELECT json_build_object('cursor', p.cursor, 'seenKeys', (
          SELECT count(*) FROM poll_seen_keys k WHERE k.workflow_id = t.id))
        FROM poll_storage p WHERE p.workflow_id = t.id AND ${TRIGGER_TYPE} = 'poll')`,
    },
    triggerStatus: {
      sql: Prisma.sql`CASE WHEN ${TRIGGER_TYPE} IN ('schedule', 'poll') THEN json_build_object(
        'lastPolledAt', (SELECT ${isoTime(Prisma.sql`p.last_polled_at`)} FROM poll_storage p
          WHERE p.workflow_id = t.id AND ${TRIGGER_TYPE} = 'poll'),
        'lastError', coalesce(
          (SELECT json_build_object('code', 'SCHEDULE_REFUSED', 'message', s.error) FROM workflow_schedules s
            WHERE s.workflow_id = t.id AND s.error IS NOT NULL),
          (SELECT p.last_error::json FROM poll_storage p WHERE p.workflow_id = t.id AND ${TRIGGER_TYPE} = 'poll')))
        END`,
    },
    // The id by which the engine is asked for the time (api/operations/workflows/nextScheduled.ts).
    nextScheduledExecution: {
      sql: Prisma.sql`CASE WHEN t.is_active AND NOT t.is_paused AND ${TRIGGER_TYPE} = 'schedule' THEN t.id::text END`,
    },
    orientation: { sql: Prisma.sql`t.orientation` },
    slug: { sql: Prisma.sql`t.slug` },
    version: { sql: Prisma.sql`nullif(t.version, 0)` },
    hasDraft: { sql: Prisma.sql`EXISTS (SELECT FROM workflow_drafts d WHERE d.workflow_id = t.id)` },
    managedByCode: { sql: Prisma.sql`t.managed_by_code` },
    owner: { sql: Prisma.sql`t.applied_owner` },
    subWorkflowIds: {
      sql: Prisma.sql`(
        SELECT coalesce(json_agg(DISTINCT named.id ORDER BY named.id), '[]')
        FROM workflow_versions v
          CROSS JOIN LATERAL jsonb_array_elements(v.definition -> 'nodes') n
          CROSS JOIN LATERAL (
            SELECT w.id FROM workflows w
            WHERE w.workspace_id = t.workspace_id AND CASE
              WHEN n #>> '{inputs,workflowId}' IS NULL THEN w.slug = n #>> '{inputs,slug}'
              ELSE w.id::text = lower(n #>> '{inputs,workflowId}') END
            ORDER BY w.project_id IS DISTINCT FROM t.project_id, w.created_at, w.id LIMIT 1) named
        WHERE v.id = t.version_id AND n ->> 'type' = 'runWorkflow')`,
      singleOnly: true,
    },
    usedBy: { ...USED_BY, sql: usedBySql(Prisma.sql`true`) },
    agentIds: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(a.id ORDER BY a.id), '[]') FROM agents a
        WHERE a.workspace_id = t.workspace_id AND a.definition -> 'workflowIds' ? t.id::text)`,
      singleOnly: true,
    },
  },
  shownAs: (viewer): Record<string, ResourceField> => ({ usedBy: { ...USED_BY, sql: usedBySql(mayName(viewer)) } }),
  defaults: { list: ['id', 'name'], single: ['id', 'name'] },
  filters: {
    slug: equalFilter('of the slug', Prisma.sql`t.slug`),
    name: textFilter(
      'whose name or slug contains the text; case is ignored',
      Prisma.sql`concat(t.name, chr(10), t.slug)`,
    ),
    isActive: booleanFilter('true: active ones', Prisma.sql`t.is_active`),
    paused: booleanFilter('true: paused ones', Prisma.sql`t.is_paused`),
    triggerType: anyOfFilter('that start by a trigger of the type', TRIGGER_TYPE, TRIGGER_TYPES),
    projectId: uuidFilter('of the project', (id) => Prisma.sql`t.project_id = ${id}`),
    agentCanTrigger: booleanFilter(
      'true: active workflows with a manual trigger, which an agent may start; false: the others',
      Prisma.sql`(t.is_active AND ${TRIGGER_TYPE} IS NOT DISTINCT FROM 'manual')`,
    ),
  },
  flags: { all: 'everything in the workspace; currently the same rows', internal: 'internal workflows too' },
  listed: (flags) => (flags.has('internal') ? Prisma.sql`true` : Prisma.sql`NOT t.is_internal`),
  order: LAST_UPDATED,
  changes: {
    name: column('name'),
    description: column('description'),
    isActive: column('is_active', 'boolean'),
    maxConcurrent: column('max_concurrent', 'int'),
    timeoutMs: column('timeout_ms', 'bigint'),
    onFailureWorkflowId: column('on_failure_workflow_id', 'uuid'),
    exposeAsTool: column('expose_as_tool', 'json'),
  },
};

/** A workflow that code manages has no draft. */
export function managedByCode(): Problem {
  return new Problem('MANAGED_BY_CODE', 'The workflow is managed by code: its upsert changes it, and it has no draft');
}

/** Users may only switch a workflow managed by code on and off: the next upsert would overwrite all other changes. */
export const MANAGED_BY_CODE: Refusal = {
  when: Prisma.sql`t.managed_by_code`,
  detail: 'The workflow is managed by code: only isActive can be changed here, all else by its upsert',
  code: 'MANAGED_BY_CODE',
};
