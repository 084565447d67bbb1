import type { Arguments } from 'perdure-client';
import { ifMatch } from '../../../app/api/ifMatch.ts';
import { QUERIES } from '../../../app/api/queries.ts';
import { client } from '../../../app/session/session.ts';
import { AGENT_LIST, agentKey } from '../queries.ts';
import { agentSettings, GRANT_LIST, MEMORY_LIST } from './queries.ts';

type AgentBody = Arguments<'upsertAgent'>['body'];

export async function createAgent(projectId: string, body: AgentBody) {
  const made = await client.upsertAgent({ path: { projectId }, body });
  void QUERIES.invalidateQueries({ queryKey: AGENT_LIST });
  return made;
}

/** The API refuses to overwrite a change since `etag` was read. The caller reads the agent again. */
export const updateAgent = (projectId: string, etag: string | undefined, body: AgentBody) =>
  client.upsertAgent({ path: { projectId }, body, ...ifMatch(etag) });

export async function reloadAgent(agentId: string) {
  void QUERIES.invalidateQueries({ queryKey: AGENT_LIST });
  await QUERIES.invalidateQueries({ queryKey: agentKey(agentId), refetchType: 'none' });
  return await QUERIES.fetchQuery(agentSettings(agentId));
}

export const refreshAgent = (agentId: string): void => void QUERIES.invalidateQueries({ queryKey: agentKey(agentId) });

export const deleteAgent = (agentId: string) => client.deleteAgent({ path: { agentId } });

export async function createGrant(agentId: string, body: Arguments<'createGrant'>['body']): Promise<void> {
  await client.createGrant({ path: { agentId }, body });
  void QUERIES.invalidateQueries({ queryKey: GRANT_LIST });
}

export async function revokeGrant(agentId: string, grantId: string): Promise<void> {
  await client.revokeGrant({ path: { agentId, grantId } });
  void QUERIES.invalidateQueries({ queryKey: GRANT_LIST });
}

export async function deleteMemory(agentId: string, memoryId: string): Promise<void> {
  await client.deleteMemory({ path: { agentId, memoryId } });
  void QUERIES.invalidateQueries({ queryKey: MEMORY_LIST });
}
