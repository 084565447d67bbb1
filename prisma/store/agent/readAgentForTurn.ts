import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { Database } from '../../client.ts';

export interface AgentForTurn {
  id: string;
  name: string;
  projectId: string;
  definition: AgentDefinition;
  /** The agent's own addition to its instructions. */
  selfInstructions: string | null;
}

/** An agent as its turns need it; undefined if the workspace has none of the id. */
export async function readAgentForTurn(
  database: Database,
  workspaceId: string,
  agentId: string,
): Promise<AgentForTurn | undefined> {
  const row = await database.agent.findUnique({
    where: { id: agentId, workspaceId },
    select: { id: true, name: true, projectId: true, definition: true, selfInstructions: true },
  });
  return row ? { ...row, definition: row.definition as unknown as AgentDefinition } : undefined;
}
