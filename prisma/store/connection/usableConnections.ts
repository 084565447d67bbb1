import type { Viewer } from '../../../domain/access/viewer.ts';
import type { UsableConnection } from '../../../domain/app/chooseConnection.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { mayUseConnection } from './mayUseConnection.ts';

export interface ConnectionUser {
  /** The caller who runs or stores something; absent in an execution. */
  viewer?: Viewer;
  /** Managed connections for any caller: they were checked when the agent was stored. */
  named?: readonly string[];
}

export async function usableConnections(
  database: Database,
  workspaceId: string,
  workflowAppId: string,
  { viewer, named = [] }: ConnectionUser = {},
): Promise<UsableConnection[]> {
  // Raw: the assignment of a managed connection is a condition over other rows.
  return rowsOf<UsableConnection>(
    database,
    Prisma.sql`
    SELECT c.id, c.name, c.is_default AS "isDefault" FROM connections c
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.workflow_app_id = ${workflowAppId}
      AND (${mayUseConnection(viewer, Prisma.sql`c`)} OR c.id = ANY (${[...named]}::uuid[]))
    ORDER BY c.is_default DESC, c.id`,
  );
}

/** Returns the apps of existing connections by connection id; with a viewer, only of those that it may use. */
export async function appsOfConnections(
  database: Database,
  workspaceId: string,
  ids: string[],
  viewer?: Viewer,
): Promise<Map<string, string>> {
  const allowed = viewer ? mayUseConnection(viewer, Prisma.sql`c`) : Prisma.sql`true`;
  const rows = await rowsOf<{ id: string; workflowAppId: string }>(
    database,
    Prisma.sql`
    SELECT c.id, c.workflow_app_id AS "workflowAppId" FROM connections c
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.id = ANY (${ids}::uuid[]) AND ${allowed}`,
  );
  return new Map(rows.map(({ id, workflowAppId }) => [id, workflowAppId]));
}
