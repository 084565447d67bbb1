import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * The texts that nobody may read in execution `t`: those of its whole tree, since parents, children and retries hand values
 * to each other. JSON: a list of texts.
 */
export const SECRETS_SQL = Prisma.sql`(
  SELECT coalesce(json_agg(x.value), '[]') FROM execution_secrets x
  WHERE x.root_id = coalesce(t.root_id, t.id) AND x.workspace_id = t.workspace_id)`;

/** The root of the tree of an execution that is there. */
export function rootOf(workspaceId: string, executionId: string): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(o.root_id, o.id) FROM executions o
    WHERE o.id = ${executionId}::uuid AND o.workspace_id = ${workspaceId}::uuid)`;
}

/**
 * Keeps texts for the tree of `root` in the statement that brings them in, so that no read is between: `written` is the
 * FROM of what has a row where something was written. A part of a WITH. In one order, so that two do not wait for each other.
 */
export function keepSecrets(
  workspaceId: string,
  root: Prisma.Sql,
  secrets: readonly string[],
  written: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO execution_secrets (root_id, digest, workspace_id, value)
    SELECT ${root}, md5(s.value), ${workspaceId}::uuid, s.value
    FROM (SELECT ${written} LIMIT 1) w, unnest(${[...new Set(secrets)].sort()}::text[]) AS s(value)
    ON CONFLICT DO NOTHING`;
}

/** As SECRETS_SQL, for those who show what they have in hand. */
export async function readSecrets(database: Database, workspaceId: string, executionId: string): Promise<string[]> {
  // Raw: they are those of the root, which the execution's row names.
  const [row] = await database.$queryRaw<{ secrets: string[] }[]>`
    SELECT ${SECRETS_SQL} AS secrets FROM executions t
    WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return row?.secrets ?? [];
}
