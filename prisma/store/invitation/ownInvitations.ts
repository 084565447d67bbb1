import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';
import { IS_OPEN, isFor } from './acceptInvitation.ts';

export interface OwnInvitation {
  id: string;
  workspace: { id: string; name: string };
  role: Role;
  /** Name of the inviter; null: an API key. */
  invitedBy: string | null;
  createdAt: string;
  /** Null: does not expire. */
  expiresAt: string | null;
}

const MAX_INVITATIONS = 1_000;

export function readOwnInvitations(database: Database, userId: string): Promise<OwnInvitation[]> {
  return database.$queryRaw<OwnInvitation[]>(Prisma.sql`
    SELECT t.id, t.role, json_build_object('id', w.id, 'name', w.name) AS workspace, inviter.name AS "invitedBy",
      ${isoTime(Prisma.sql`t.created_at`)} AS "createdAt", ${isoTime(Prisma.sql`t.expires_at`)} AS "expiresAt"
    FROM invitations t JOIN workspaces w ON w.id = t.workspace_id LEFT JOIN users inviter ON inviter.id = t.invited_by_user_id
    WHERE ${isFor(userId)} AND ${IS_OPEN}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${MAX_INVITATIONS}`);
}
