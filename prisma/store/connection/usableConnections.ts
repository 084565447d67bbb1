import type { UsableConnection } from '../../../domain/app/chooseConnection.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** An app's connections that the workspace can use, the default first, then the oldest. */
export async function usableConnections(
  database: Database,
  workspaceId: string,
  workflowAppId: string,
): Promise<UsableConnection[]> {
  return database.$queryRaw<UsableConnection[]>(Prisma.sql`
    SELECT id, name, is_default AS "isDefault" FROM connections
    WHERE workspace_id = ${workspaceId}::uuid AND workflow_app_id = ${workflowAppId}
    ORDER BY is_default DESC, id`);
}
