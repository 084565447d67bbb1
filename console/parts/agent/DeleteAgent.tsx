import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../session.ts';
import { AGENT_SETTINGS } from '../../words/en/agentSettings.ts';
import { ActDialog } from '../ActDialog.tsx';
import { done } from '../notices.tsx';

const words = AGENT_SETTINGS;

/** Asks before an agent goes; the API refuses while something uses it, and names that. */
export function DeleteAgent({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <ActDialog
      title={words.deleteTitle}
      means={words.deleteMeans}
      button={words.delete}
      dismiss={words.dismiss}
      isDangerous
      onAct={async () => {
        await client.deleteAgent({ path: { agentId } });
        done(words.deleted);
        await navigate({ to: '/agents' });
        queries.removeQueries({ queryKey: ['getAgent', agentId] });
        void queries.invalidateQueries({ queryKey: ['listAgents'] });
      }}
      onClose={onClose}
    />
  );
}
