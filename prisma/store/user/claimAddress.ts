import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** `takenOver`: a workspace had named the address, nobody had shown that it is theirs, and all logins of before are void. */
export type Claim = 'new' | 'takenOver' | 'known';

export interface AddressClaim {
  email: string;
  /** Id of a new person; null: nobody is made. */
  id: string | null;
  /** Null: the name stays. */
  name: string | null;
  /** Of a person who is new or taken over. */
  passwordHash: string | null;
  /** The workspace that only names the address; null if it was shown to be theirs, or the operator says so. */
  namedBy: string | null;
  /** Where the person comes in: their places elsewhere become invitations. Null: they stay where they are. */
  workspaceId: string | null;
}

/** The call of `claim_address`, for a FROM: columns `person_id`, `claim`. */
export function claimOfAddress({ email, id, name, passwordHash, namedBy, workspaceId }: AddressClaim): Prisma.Sql {
  return Prisma.sql`claim_address(${email}, ${id}::uuid, ${name}, ${passwordHash}, ${namedBy}::uuid, ${workspaceId}::uuid)`;
}

/**
 * The operator says whose the address is: a person of it whom nobody has proved is taken over, with this password. Undefined
 * where there is nobody. Only for the operator: no workspace.
 */
export async function vouchForAddress(
  database: Database,
  email: string,
  passwordHash: string,
): Promise<{ userId: string; isTakenOver: boolean } | undefined> {
  const claim = claimOfAddress({ email, id: null, name: null, passwordHash, namedBy: null, workspaceId: null });
  // Raw: a function decides who it is and what is void, under the lock of the person.
  const rows = await database.$queryRaw<{ userId: string; isTakenOver: boolean }[]>(Prisma.sql`
    SELECT person_id AS "userId", claim = 'takenOver' AS "isTakenOver" FROM ${claim}`);
  return rows[0];
}
