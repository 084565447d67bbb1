import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TaskWhole } from '../../data/tasks.ts';
import { client } from '../../session.ts';
import { CHAT } from '../../words/en/agents.ts';
import { done } from '../notices.tsx';
import { ProblemAlert } from '../ProblemAlert.tsx';

const words = CHAT;

interface TaskMenuProps {
  agentId: string;
  task: TaskWhole;
}

/** Renames and deletes a task. */
export function TaskMenu({ agentId, task }: TaskMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={words.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
          <Menu.Item onClick={() => setDialog('delete')}>{words.delete}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'rename' && <Rename agentId={agentId} task={task} onClose={close} />}
      {dialog === 'delete' && <Delete agentId={agentId} task={task} onClose={close} />}
    </>
  );
}

interface DialogProps extends TaskMenuProps {
  onClose: () => void;
}

function Rename({ agentId, task, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(task.name ?? '');
  const rename = useMutation({
    mutationFn: () =>
      client.updateTask({
        path: { taskId: task.id },
        query: { agentId },
        body: { name: name.trim() === '' ? null : name.trim() },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['getTask', agentId, task.id] });
      void queries.invalidateQueries({ queryKey: ['listTasks'] });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={words.rename}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={words.name}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {rename.error !== null && <ProblemAlert error={rename.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.dismiss}
            </Button>
            <Button type="submit" loading={rename.isPending}>
              {words.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Delete({ agentId, task, onClose }: DialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => client.deleteTask({ path: { taskId: task.id }, query: { agentId } }),
    onSuccess: async () => {
      done(words.deleted);
      await navigate({ to: '/agents/$agentId', params: { agentId } });
      queries.removeQueries({ queryKey: ['getTask', agentId, task.id] });
      await queries.invalidateQueries({ queryKey: ['listTasks'] });
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
