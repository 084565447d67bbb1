import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../session.ts';
import { AGENT_SETTINGS } from '../../words/en/agentSettings.ts';
import { done } from '../notices.tsx';
import { ProblemAlert } from '../ProblemAlert.tsx';

const words = AGENT_SETTINGS;

/** Asks before an agent goes; the API refuses while something uses it, and names that. */
export function DeleteAgent({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => client.deleteAgent({ path: { agentId } }),
    onSuccess: async () => {
      done(words.deleted);
      await navigate({ to: '/agents' });
      queries.removeQueries({ queryKey: ['getAgent', agentId] });
      void queries.invalidateQueries({ queryKey: ['listAgents'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={words.deleteTitle}>
      <Stack>
        <Text>{words.deleteMeans}</Text>
        {remove.error !== null && <ProblemAlert error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.dismiss}
          </Button>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            {words.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
