import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** `takenOver`: a workspace had named the address, nobody had proved it, and all previous logins are void. */
export type Claim = 'new' | 'takenOver' | 'known';

export interface AddressClaim {
  email: string;
  /** Id of a new user; null: none is created. */
  id: string | null;
  /** Null: the name stays. */
  name: string | null;
  /** Password of a user who is new or taken over. */
  passwordHash: string | null;
  /** The workspace that only names the address; null if it is proved, or the operator vouches for it. */
  namedBy: string | null;
  /** The workspace that the user joins: memberships elsewhere become invitations. Null: they stay. */
  workspaceId: string | null;
}

export function claimOfAddress({ email, id, name, passwordHash, namedBy, workspaceId }: AddressClaim): Prisma.Sql {
  return Prisma.sql`claim_address(${email}, ${id}::uuid, ${name}, ${passwordHash}, ${namedBy}::uuid, ${workspaceId}::uuid)`;
}

/**
 * For the operator: an unproved user is taken over, with this password. Undefined if there is no user. No workspace.
 */
export async function vouchForAddress(
  database: Database,
  email: string,
  passwordHash: string,
): Promise<{ userId: string; isTakenOver: boolean } | undefined> {
  const claim = claimOfAddress({ email, id: null, name: null, passwordHash, namedBy: null, workspaceId: null });
  const rows = await database.$queryRaw<{ userId: string; isTakenOver: boolean }[]>(Prisma.sql`
    SELECT person_id AS "userId", claim = 'takenOver' AS "isTakenOver" FROM ${claim}`);
  return rows[0];
}
