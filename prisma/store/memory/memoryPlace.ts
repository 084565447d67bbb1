import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { TaskOwner } from '../task/readTaskOwner.ts';

export interface MemoryPlace {
  workspaceId: string;
  agentId: string;
  userId: string | null;
  apiKeyId: string | null;
  /** Days after which a fact is deleted unless it was remembered again; null: never. */
  retentionDays: number | null;
}

/**
 * Follows the setting memoryScope. A caller that sees only its own tasks always has its own facts. A task without an
 * owner has the facts of all tasks under the scope agent, and none (undefined) under the scope user.
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
