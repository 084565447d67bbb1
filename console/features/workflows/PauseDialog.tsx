import { List } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { client } from '../../app/session/session.ts';
import { done } from '../../ui/notices/notices.tsx';
import { WORDS } from '../../ui/words/words.ts';
import type { WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;

/** Says what a pause does before it does it, or ends the pause. */
export function PauseDialog({ workflow, onClose }: { workflow: WorkflowWhole; onClose: () => void }) {
  const queries = useQueryClient();
  const isPaused = workflow.paused === true;
  const change = async () => {
    const path = { workflowId: workflow.id };
    const { heldExecutions } = isPaused ? await client.resumeWorkflow({ path }) : await client.pauseWorkflow({ path });
    done(isPaused ? words.isResumed(heldExecutions) : words.isPaused);
    for (const key of ['getWorkflow', 'listWorkflows', 'listExecutions']) {
      void queries.invalidateQueries({ queryKey: [key] });
    }
  };
  return (
    <ActDialog
      title={isPaused ? words.resumeTitle : words.pauseTitle}
      means={isPaused && words.resumeMeans(workflow.heldExecutions ?? 0)}
      button={isPaused ? words.resume : words.pause}
      dismiss={WORDS.executions.dismiss}
      onAct={change}
      onClose={onClose}
    >
      {!isPaused && (
        <List>
          {words.pauseMeans.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
    </ActDialog>
  );
}
