import type { Database } from '../../client.ts';

/** Returns those of the agents that call the agent with the slug, directly or through sub-agents. */
export async function agentsCalling(
  database: Database,
  workspaceId: string,
  subAgentIds: readonly string[],
  own: { projectId: string; slug: string },
): Promise<Set<string>> {
  if (subAgentIds.length === 0) return new Set();
  // UNION drops repeated pairs, so that the recursion ends.
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE called AS (
      SELECT a.id AS first, a.id FROM agents a
      WHERE a.workspace_id = ${workspaceId}::uuid AND a.id = ANY (${[...subAgentIds]}::uuid[])
      UNION
      SELECT c.first, b.id FROM called c JOIN agents a ON a.id = c.id
      CROSS JOIN LATERAL jsonb_array_elements_text(a.definition -> 'subAgentIds') AS s(id)
      JOIN agents b ON b.id = s.id::uuid AND b.workspace_id = ${workspaceId}::uuid
    )
    SELECT DISTINCT c.first::text AS id FROM called c JOIN agents a ON a.id = c.id
    WHERE a.project_id = ${own.projectId}::uuid AND a.slug = ${own.slug}`;
  return new Set(rows.map(({ id }) => id));
}
