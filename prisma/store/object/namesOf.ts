import type { Database } from '../../client.ts';

/** Names of living entities of the workspace, by id. */
export async function namesOf(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const where = { workspaceId, id: { in: [...new Set(ids.map((id) => id.toLowerCase()))] }, deletedAt: null };
  const rows = await database.object.findMany({ where, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
