import { Prisma } from '../../generated/client.ts';
import { subjectOf } from '../agent/agentAccess.ts';
import { AGENT } from '../agent/resource.ts';
import { LAST_UPDATED } from '../order.ts';
import { isoTime, type Resource } from '../resource.ts';

const FIELDS = ['id', 'agentId', 'subject', 'fact', 'createdAt', 'updatedAt'];

/** A caller without agents:write sees only its own facts. */
export const MEMORY: Resource = {
  name: 'memory',
  noun: 'memory',
  table: Prisma.sql`agent_memories`,
  place: Prisma.sql`'/api/agents/' || t.agent_id || '/memories/' || t.id`,
  scope: { agentId: { column: Prisma.sql`t.agent_id`, parent: AGENT } },
  fields: {
    id: { sql: Prisma.sql`t.id` },
    agentId: { sql: Prisma.sql`t.agent_id` },
    subject: {
      sql: Prisma.sql`CASE WHEN num_nonnulls(t.user_id, t.api_key_id) = 1 THEN json_build_object(
        'type', CASE WHEN t.user_id IS NULL THEN 'apiKey' ELSE 'user' END, 'id', coalesce(t.user_id, t.api_key_id)) END`,
    },
    fact: { sql: Prisma.sql`t.fact` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {},
  flags: {},
  visible: (_flags, viewer) => {
    if (viewer.permissions.has('agents:write')) return Prisma.sql`true`;
    const subject = subjectOf(viewer);
    return subject ? Prisma.sql`t.${subject.grantColumn} = ${subject.id}::uuid` : Prisma.sql`false`;
  },
  order: LAST_UPDATED,
};
