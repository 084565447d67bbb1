import type { Viewer } from '../../../domain/access/viewer.ts';
import { isGrantOnly } from '../../../domain/access/viewer.ts';
import { Prisma } from '../../generated/client.ts';

/** Grant-only callers may use only the agents of their live grants. */
export function maySeeAgent(viewer: Viewer, agentId: Prisma.Sql): Prisma.Sql {
  if (!isGrantOnly(viewer)) return Prisma.sql`true`;
  const subject = subjectOf(viewer);
  if (!subject) return Prisma.sql`false`;
  return Prisma.sql`EXISTS (SELECT FROM share_grants g WHERE g.agent_id = ${agentId}
    AND g.${subject.grantColumn} = ${subject.id}::uuid AND (g.expires_at IS NULL OR g.expires_at > now()))`;
}

interface Subject {
  id: string;
  grantColumn: Prisma.Sql;
  createdByColumn: Prisma.Sql;
}

/** Executions have no grants. */
export function subjectOf(viewer: Viewer): Subject | undefined {
  if (viewer.kind === 'user') {
    return {
      id: viewer.userId,
      grantColumn: Prisma.sql`user_id`,
      createdByColumn: Prisma.sql`created_by_user_id`,
    };
  }
  if (viewer.kind === 'apiKey') {
    return {
      id: viewer.apiKeyId,
      grantColumn: Prisma.sql`api_key_id`,
      createdByColumn: Prisma.sql`created_by_api_key_id`,
    };
  }
  return undefined;
}
