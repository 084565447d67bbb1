import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { Database } from '../../client.ts';

export interface AgentForTurn {
  id: string;
  name: string;
  projectId: string;
  definition: AgentDefinition;
  selfInstructions: string | null;
}

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
