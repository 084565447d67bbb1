import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

const MAX_VERSIONS = 50;

/** Adds a version if the text differs; an empty text removes it. Returns the version; undefined without an agent. */
export async function noteSelfInstructions(
  database: Database,
  workspaceId: string,
  { agentId, runId, instructions }: { agentId: string; runId: string; instructions: string },
): Promise<number | undefined> {
  const text = instructions === '' ? null : instructions;
  // Raw: number, text and version are one write under the agent's lock.
  const [row] = await rowsOf<{ version: number }>(
    database,
    Prisma.sql`
    WITH changed AS (
      UPDATE agents SET self_instructions = ${text}, self_instructions_version = self_instructions_version + 1
      WHERE id = ${agentId}::uuid AND workspace_id = ${workspaceId}::uuid AND self_instructions IS DISTINCT FROM ${text}
      RETURNING id, self_instructions_version AS version
    ), added AS (
      INSERT INTO agent_self_instructions (agent_id, version, instructions, run_id)
      SELECT id, version, ${instructions}, ${runId}::uuid FROM changed
    ), gone AS (
      DELETE FROM agent_self_instructions s USING changed c WHERE s.agent_id = c.id AND s.version <= c.version - ${MAX_VERSIONS}::int
    )
    SELECT coalesce((SELECT version FROM changed), a.self_instructions_version) AS version
    FROM agents a WHERE a.id = ${agentId}::uuid AND a.workspace_id = ${workspaceId}::uuid`,
  );
  return row?.version;
}
