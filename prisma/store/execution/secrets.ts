import type { KeptSecret, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** The whole tree, which passes values on. Includes deleted connections, but not deleted variables. */
export const SECRETS_SQL = Prisma.sql`(
  SELECT coalesce(json_agg(CASE WHEN x.value IS NOT NULL THEN to_json(x.value)
      WHEN x.variable_id IS NOT NULL THEN json_build_object('workspaceId', v.workspace_id, 'variableId', v.id,
        'sealed', encode(v.sealed, 'base64'), 'keyId', v.key_id)
      ELSE json_build_object(
        'workspaceId', x.workspace_id, 'connectionId', c.id, 'appId', c.workflow_app_id, 'type', c.connection_type,
        'ownTypes', (SELECT m.manifest -> 'connectionTypes' FROM apps a
          JOIN app_versions m ON m.workspace_id = a.workspace_id AND m.digest = a.digest
          WHERE a.workspace_id = x.workspace_id AND a.slug = c.workflow_app_id),
        'sealed', encode(c.credentials, 'base64'), 'keyId', c.key_id) END)
    FILTER (WHERE x.value IS NOT NULL OR c.id IS NOT NULL OR v.id IS NOT NULL), '[]')
  FROM execution_secrets x LEFT JOIN LATERAL (
      SELECT id, workflow_app_id, connection_type, credentials, key_id FROM connections
      WHERE id = x.connection_id AND workspace_id = x.workspace_id
      UNION ALL SELECT id, workflow_app_id, connection_type, credentials, key_id FROM deleted_connections
      WHERE id = x.connection_id AND workspace_id = x.workspace_id) c ON true
  LEFT JOIN variables v ON v.id = x.variable_id AND v.workspace_id = x.workspace_id AND v.is_secret
  WHERE x.root_id = coalesce(t.root_id, t.id) AND x.workspace_id = t.workspace_id)`;

export function rootOf(workspaceId: string, executionId: string): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(o.root_id, o.id) FROM executions o
    WHERE o.id = ${executionId}::uuid AND o.workspace_id = ${workspaceId}::uuid)`;
}

/** Runs in the statement that writes the values, so that no read comes between. Sorted, so that none deadlock. */
export function keepSecrets(
  workspaceId: string,
  root: Prisma.Sql,
  secrets: readonly KeptSecret[],
  written: Prisma.Sql,
): Prisma.Sql {
  const texts = new Set(secrets.filter((each) => typeof each === 'string'));
  const connections = new Set(secrets.flatMap((each) => (typeof each === 'string' ? [] : [each.connectionId])));
  return Prisma.sql`
    INSERT INTO execution_secrets (root_id, digest, workspace_id, value, connection_id)
    SELECT ${root}, coalesce(md5(s.value), s.connection_id::text), ${workspaceId}::uuid, s.value, s.connection_id
    FROM (SELECT ${written} LIMIT 1) w, (
      SELECT value, NULL::uuid AS connection_id FROM unnest(${[...texts].sort()}::text[]) AS t(value)
      UNION ALL SELECT NULL, id FROM unnest(${[...connections].sort()}::uuid[]) AS c(id)) s
    ON CONFLICT DO NOTHING`;
}

/** For callers that mask values in memory. */
export async function readSecrets(database: Database, workspaceId: string, executionId: string): Promise<string[]> {
  const [row] = await database.$queryRaw<{ secrets: StoredSecret[] }[]>`
    SELECT ${SECRETS_SQL} AS secrets FROM executions t
    WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return database.revealSecrets(row?.secrets ?? []);
}
