import { Prisma } from '../../generated/client.ts';
import { AGENT } from '../agent/resource.ts';
import { LAST_CREATED } from '../order.ts';
import { isoTime, type Resource } from '../resource.ts';

const FIELDS = ['id', 'agentId', 'subject', 'hourlyMessageCap', 'expiresAt', 'createdAt'];

export const SHARE_GRANT: Resource = {
  name: 'grant',
  noun: 'grant',
  table: Prisma.sql`share_grants`,
  place: Prisma.sql`'/api/agents/' || t.agent_id || '/grants/' || t.id`,
  scope: { agentId: { column: Prisma.sql`t.agent_id`, parent: AGENT } },
  fields: {
    id: { sql: Prisma.sql`t.id` },
    agentId: { sql: Prisma.sql`t.agent_id` },
    subject: {
      sql: Prisma.sql`json_build_object('type', CASE WHEN t.user_id IS NULL THEN 'apiKey' ELSE 'user' END,
        'id', coalesce(t.user_id, t.api_key_id))`,
    },
    hourlyMessageCap: { sql: Prisma.sql`t.hourly_message_cap` },
    expiresAt: { sql: isoTime(Prisma.sql`t.expires_at`) },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {},
  flags: {},
  order: LAST_CREATED,
};
