import { queryOptions } from '@tanstack/react-query';
import { etagOf } from '../../../app/api/ifMatch.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import { type AgentWhole, NAMED, SAME } from './agentDraft.ts';

const EXPANSION = [
  ...SAME,
  ...Object.values(NAMED),
  'selectedModelId',
  'project',
  'managedByCode',
  'selfInstructionVersions',
];

/** Values that an answer left out since they are large: it has a link to each. */
const LARGE = ['instructions', 'tools', 'mcpServers', 'enabledToolPolicies', 'suggestedPrompts'] as const;

/** All settings of an agent, and the tag under which they may be changed. */
export function agentSettings(agentId: string) {
  return queryOptions({
    queryKey: ['getAgent', agentId, 'settings'],
    queryFn: async ({ signal }) => {
      const read = async (expansion: string) =>
        client.send('getAgent', { path: { agentId }, query: { expansion }, signal });
      const answer = await read(EXPANSION.join(','));
      const readOne = async (name: string) => (await (await read(name)).json()) as AgentWhole;
      const agent = await withLeftOut((await answer.json()) as AgentWhole, LARGE, readOne);
      return { agent, etag: etagOf(answer) };
    },
  });
}
