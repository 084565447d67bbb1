import { HIDDEN_SECRET } from '../../../domain/workflow/maskTrigger.ts';
import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import { LAST_UPDATED } from '../order.ts';
import { isoTime, named, type Resource, uuidFilter } from '../resource.ts';

export const VARIABLE: Resource = {
  name: 'variable',
  noun: 'variable',
  hasTag: true,
  table: Prisma.sql`variables`,
  place: Prisma.sql`'/api/variables/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    description: { sql: Prisma.sql`t.description` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    value: {
      sql: Prisma.sql`CASE WHEN t.is_secret THEN to_jsonb(${HIDDEN_SECRET}::text) ELSE t.value END`,
      large: { orNull: true },
    },
    isSecret: { sql: Prisma.sql`t.is_secret` },
    workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
    project: { sql: named(Prisma.sql`projects`, Prisma.sql`t.project_id`) },
  },
  defaults: { list: ['id', 'name'], single: ['id', 'name'] },
  filters: {
    projectId: uuidFilter('owned by the project', (id) => Prisma.sql`t.project_id = ${id}`),
    projectAccessId: uuidFilter(
      'accessible to the project, including variables of the whole workspace',
      (id) => Prisma.sql`(t.project_id = ${id} OR t.project_id IS NULL)`,
    ),
  },
  flags: { all: 'everything in the workspace; currently the same rows' },
  order: LAST_UPDATED,
  changes: {
    name: column('name'),
    value: column('value', 'jsonb'),
    isSecret: column('is_secret', 'boolean'),
    description: column('description'),
  },
};

export const VARIABLE_TO_SEAL: Resource = {
  ...VARIABLE,
  changes: {
    ...VARIABLE.changes,
    sealed: column('sealed', 'bytea'),
    keyId: column('key_id'),
  },
};
