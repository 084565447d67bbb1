import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { maySeeAgent } from '../agent/agentAccess.ts';
import type { ResourceField } from '../resource.ts';
import { MAX_NAMED } from '../usedBy.ts';

/** Lists users like users_of: those that match `shown`, by kind and name, and the total. */
export function usedBySql(shown: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    WITH used AS MATERIALIZED (SELECT * FROM users_of(t.workspace_id, ARRAY['workflow/' || t.id]))
    SELECT json_build_object('total', (SELECT count(*) FROM used), 'users', coalesce(json_agg(
      json_build_object('type', n.type, 'id', n.id, 'name', n.name) ORDER BY n.type, n.name, n.id), '[]'))
    FROM (SELECT * FROM used u WHERE ${shown} ORDER BY u.type, u.name, u.id LIMIT ${Prisma.raw(String(MAX_NAMED))}) n)`;
}

/** Whether the caller may read user `u`. A caller that may read one workflow may read all. */
export function mayName(viewer: Viewer): Prisma.Sql {
  const { permissions } = viewer;
  const mayReadAgents = permissions.has('agents:read') || permissions.has('agents:use');
  const kinds = [
    Prisma.sql`u.type = 'workflow'`,
    ...(mayReadAgents ? [Prisma.sql`u.type = 'agent' AND ${maySeeAgent(viewer, Prisma.sql`u.id`)}`] : []),
    ...(permissions.has('projects:read') ? [Prisma.sql`u.type = 'project'`] : []),
  ];
  return Prisma.join(kinds, ' OR ');
}

export const USED_BY: Omit<ResourceField, 'sql'> = {
  singleOnly: true,
  present: (value, item) => {
    const { total, users } = value as unknown as { total: number; users: Json };
    Object.assign(item, { usedByTotal: total });
    return users;
  },
  alsoAdds: ['usedByTotal'],
};
