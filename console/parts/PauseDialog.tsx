import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowWhole } from '../data/workflows.ts';
import { client } from '../session.ts';
import { WORKFLOWS } from '../words/en/workflows.ts';
import { WORDS } from '../words/en.ts';
import { done } from './notices.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = WORKFLOWS;

/** Says what a pause does before it does it, or ends the pause. */
export function PauseDialog({ workflow, onClose }: { workflow: WorkflowWhole; onClose: () => void }) {
  const queries = useQueryClient();
  const isPaused = workflow.paused === true;
  const change = useMutation({
    mutationFn: () => {
      const path = { workflowId: workflow.id };
      return isPaused ? client.resumeWorkflow({ path }) : client.pauseWorkflow({ path });
    },
    onSuccess: ({ heldExecutions }) => {
      done(isPaused ? words.isResumed(heldExecutions) : words.isPaused);
      for (const key of ['getWorkflow', 'listWorkflows', 'listExecutions']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={isPaused ? words.resumeTitle : words.pauseTitle}>
      <Stack>
        {isPaused ? (
          <Text>{words.resumeMeans(workflow.heldExecutions ?? 0)}</Text>
        ) : (
          <List>
            {words.pauseMeans.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        )}
        {change.error !== null && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {WORDS.executions.dismiss}
          </Button>
          <Button loading={change.isPending} onClick={() => change.mutate()}>
            {isPaused ? words.resume : words.pause}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
