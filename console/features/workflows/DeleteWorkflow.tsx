import { Button, Group, List, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { usedBy } from '../../ui/UsedBy.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { deleteWorkflow } from './mutations.ts';
import { forgetWorkflow, type WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.settings;

export function DeleteWorkflow({ workflow }: { workflow: WorkflowWhole }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteWorkflow(workflow.id),
    onSuccess: async () => {
      done(words.removed);
      await navigate({ to: '/workflows' });
      forgetWorkflow(queries, workflow.id);
    },
  });
  const close = () => {
    remove.reset();
    setOpen(false);
  };
  return (
    <>
      <Group mt="lg">
        <Button variant="outline" color="red" c="var(--ink-bad)" onClick={() => setOpen(true)}>
          {words.removeConfirm}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={words.removeTitle(workflow.name)}>
        <Stack>
          <List>
            {words.removeMeans.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
          {usedBy(remove.error, words.inUse)}
          {remove.error !== null && !isProblem(remove.error, 'IN_USE') && <ProblemAlert error={remove.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {WORDS.executions.dismiss}
            </Button>
            <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
              {words.remove}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
