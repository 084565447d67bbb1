import type { Database } from '../../client.ts';

export async function missingObjects(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  if (wanted.size === 0) return wanted;
  const rows = await database.object.findMany({
    where: { workspaceId, id: { in: [...wanted] }, deletedAt: null },
    select: { id: true },
  });
  for (const { id } of rows) wanted.delete(id);
  return wanted;
}
