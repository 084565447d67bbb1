import { List } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { pauseOrResume } from './mutations.ts';
import { refreshWorkflows, type WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;

export function PauseDialog({ workflow, onClose }: { workflow: WorkflowWhole; onClose: () => void }) {
  const queries = useQueryClient();
  const isPaused = workflow.paused === true;
  const change = async () => {
    const held = await pauseOrResume(workflow.id, isPaused ? 'resume' : 'pause');
    done(isPaused ? words.isResumed(held) : words.isPaused);
    refreshWorkflows(queries);
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
