import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { TaskOwner } from '../task/readTaskOwner.ts';

/** The scope of facts: an agent, with one person, one key or all callers. */
export interface MemoryPlace {
  workspaceId: string;
  agentId: string;
  userId: string | null;
  apiKeyId: string | null;
  /** Days after which a fact is deleted unless it was remembered again; null: never. */
  retentionDays: number | null;
}

/**
 * The scope of facts by the setting memoryScope; a caller that sees only its own tasks always has its own facts. A task that
 * nobody started (agent.run), or whose owner is gone, has the facts of all tasks under the scope agent, and none under the
 * scope user: undefined.
 */
export function memoryPlace(
  agent: { workspaceId: string; agentId: string },
  { memoryScope, memoryRetentionDays: retentionDays }: Pick<AgentDefinition, 'memoryScope' | 'memoryRetentionDays'>,
  owner: TaskOwner | undefined,
): MemoryPlace | undefined {
  const isShared = memoryScope === 'agent' && !owner?.seesOnlyOwn;
  if (!owner && !isShared) return undefined;
  const { workspaceId, agentId } = agent;
  return {
    workspaceId,
    agentId,
    userId: !isShared && owner?.kind === 'user' ? owner.id : null,
    apiKeyId: !isShared && owner?.kind === 'apiKey' ? owner.id : null,
    retentionDays,
  };
}
