import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { anotherOwner, ownersLocked } from './ownersLocked.ts';

/** False where the person is the last owner, or no member; then nothing has changed. It counts from the next request on. */
export async function setRole(database: Database, workspaceId: string, userId: string, role: Role): Promise<boolean> {
  // Raw: whether an owner remains is decided with the owners locked.
  const changed = await database.$executeRaw(Prisma.sql`
    WITH ${ownersLocked(workspaceId)}
    UPDATE workspace_users SET role = ${role}
    WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
      AND (${role} = 'owner' OR ${anotherOwner(userId)})`);
  return changed === 1;
}
