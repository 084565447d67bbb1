import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import { LAST_UPDATED } from '../order.ts';
import { equalFilter, isoTime, person, type Resource } from '../resource.ts';

export const PROJECT: Resource = {
  name: 'project',
  noun: 'project',
  usedAs: 'project',
  table: Prisma.sql`projects`,
  place: Prisma.sql`'/api/projects/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    slug: { sql: Prisma.sql`t.slug` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    description: { sql: Prisma.sql`t.description` },
    onFailureWorkflowId: { sql: Prisma.sql`t.on_failure_workflow_id` },
    workflows: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', w.id, 'name', w.name)
        ORDER BY w.updated_at DESC, w.id DESC), '[]')
        FROM workflows w WHERE w.project_id = t.id AND NOT w.is_internal)`,
      large: {},
    },
    createdByWorkspaceUser: { sql: person(Prisma.sql`t.created_by_user_id`) },
    countAgents: { sql: Prisma.sql`(SELECT count(*) FROM agents a WHERE a.project_id = t.id)` },
    countVariables: { sql: Prisma.sql`(SELECT count(*) FROM variables v WHERE v.project_id = t.id)` },
    countWorkflows: {
      sql: Prisma.sql`(SELECT count(*) FROM workflows w WHERE w.project_id = t.id AND NOT w.is_internal)`,
    },
  },
  defaults: { list: ['id', 'name'], single: ['id', 'name'] },
  filters: { slug: equalFilter('of the slug', Prisma.sql`t.slug`) },
  flags: {},
  order: LAST_UPDATED,
  changes: {
    name: column('name'),
    slug: column('slug'),
    description: column('description'),
    onFailureWorkflowId: column('on_failure_workflow_id', 'uuid'),
  },
};
