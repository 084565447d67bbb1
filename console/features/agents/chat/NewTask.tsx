import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FileUIPart } from 'ai';
import { changeOutbox, newMessage } from '../../../app/delivery/outbox.ts';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { Composer } from './Composer.tsx';
import { createTask, refreshTasks } from './mutations.ts';
import { CHAT } from './words.ts';

const words = CHAT;

export function NewTask({ agentId, suggestions }: { agentId: string; suggestions: readonly string[] }) {
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: async ({ text, files }: { text: string; files?: readonly FileUIPart[] }) => {
      const id = await createTask(agentId);
      changeOutbox(agentId, id, () => [newMessage(text, files)]);
      return id;
    },
    onSuccess: async (taskId) => {
      refreshTasks();
      await navigate({ to: '/agents/$agentId/tasks/$taskId', params: { agentId, taskId } });
    },
  });
  return (
    <Stack gap="sm" className="new-task">
      <Text>{words.newTaskHelp}</Text>
      {suggestions.length > 0 && (
        <Group gap="xs" role="group" aria-label={words.suggestions}>
          {suggestions.map((text) => (
            <Button key={text} variant="light" size="xs" className="suggestion" onClick={() => begin.mutate({ text })}>
              {text}
            </Button>
          ))}
        </Group>
      )}
      {begin.error !== null && <ProblemAlert error={begin.error} />}
      <Composer
        agentId={agentId}
        onSend={(text, files) => begin.mutateAsync({ text, files })}
        isSending={begin.isPending}
      />
    </Stack>
  );
}
