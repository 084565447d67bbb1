import type { Permission } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type Claim, claimOfAddress } from '../user/claimAddress.ts';

export interface NewWorkspace {
  name: string;
  /** Becomes owner on behalf of the operator: see claimAddress.ts. The e-mail address is in lower case. */
  owner: { id: string; email: string; name: string; passwordHash: string };
  project: { id: string; name: string };
  apiKey: { id: string; name: string; hash: Uint8Array; prefix: string; permissions: readonly Permission[] };
}

/** Inserts a workspace with everything needed to use it. Returns whether the owner existed. */
export async function insertWorkspace(database: Database, workspaceId: string, fresh: NewWorkspace): Promise<Claim> {
  const { owner, project, apiKey } = fresh;
  const claim = claimOfAddress({ ...owner, namedBy: null, workspaceId });
  // Raw: all or nothing, without a transaction.
  const rows = await database.$queryRaw<{ claim: Claim }[]>(Prisma.sql`
    WITH workspace AS (
      INSERT INTO workspaces (id, name) VALUES (${workspaceId}::uuid, ${fresh.name})
    ), person AS (
      SELECT person_id AS id, claim FROM ${claim}
    ), member AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT ${workspaceId}::uuid, id, 'owner' FROM person
    ), project AS (
      INSERT INTO projects (id, workspace_id, name, created_by_user_id)
      SELECT ${project.id}::uuid, ${workspaceId}::uuid, ${project.name}, id FROM person
    ), api_key AS (
      INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, permissions)
      VALUES (${apiKey.id}::uuid, ${workspaceId}::uuid, ${apiKey.name}, ${apiKey.hash}, ${apiKey.prefix},
        ${[...apiKey.permissions]}::text[])
    )
    SELECT claim FROM person`);
  const [row] = rows;
  if (!row) throw new Error('The new workspace got no owner');
  return row.claim;
}

export async function hasWorkspace(database: Database, workspaceId: string): Promise<boolean> {
  return (await database.workspace.findUnique({ where: { id: workspaceId }, select: { id: true } })) !== null;
}

export async function nameOfWorkspace(database: Database, workspaceId: string): Promise<string> {
  return (await database.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { name: true } })).name;
}
