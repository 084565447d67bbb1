import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { ChangeList } from './draft/ChangesDialog.tsx';
import { theirWorkflow } from './editing/queries.ts';
import { type Draft, draftChanges } from './model/draft.ts';
import { EDITOR } from './words.ts';

const words = EDITOR;

interface ConflictDialogProps {
  workflowId: string;
  draft: Draft;
  isBusy: boolean;
  onReload: () => void;
  onOverwrite: () => void;
  onClose: () => void;
}

export function ConflictDialog({ workflowId, draft, isBusy, onReload, onOverwrite, onClose }: ConflictDialogProps) {
  return (
    <Modal opened onClose={onClose} title={words.conflictTitle}>
      <Stack>
        <Text>{words.conflictText}</Text>
        <div>
          <Button variant="default" loading={isBusy} onClick={onReload}>
            {words.conflictReload}
          </Button>
          <Text size="sm" mt={4}>
            {words.conflictReloadMeans}
          </Text>
        </div>
        <div>
          <Button variant="default" loading={isBusy} onClick={onOverwrite}>
            {words.conflictOverwrite}
          </Button>
          <Text size="sm" mt={4}>
            {words.conflictOverwriteMeans}
          </Text>
          <Overwritten workflowId={workflowId} draft={draft} />
        </div>
      </Stack>
    </Modal>
  );
}

function Overwritten({ workflowId, draft }: Pick<ConflictDialogProps, 'workflowId' | 'draft'>) {
  const { data: theirs, error } = useQuery(theirWorkflow(workflowId));
  if (error !== null) return <ProblemAlert error={error} isRead />;
  if (theirs === undefined) return <Loading height={24} />;
  const differences = draftChanges(theirs.draft, draft);
  const count = differences.changes.length + (differences.moved > 0 ? 1 : 0);
  return (
    <details>
      <summary>
        {words.conflictDifferences(theirs.tags.draft === undefined ? theirs.version : undefined, count)}
      </summary>
      <ChangeList {...differences} />
    </details>
  );
}

interface LeaveDialogProps {
  /** The code cannot be parsed, so the kept draft does not contain it. */
  isUnread: boolean;
  onStay: () => void;
  onLeave: () => void;
}

export function LeaveDialog({ isUnread, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Modal opened onClose={onStay} title={words.leave}>
      <Stack>
        <Text>{isUnread ? words.leaveUnread : words.leaveText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay}>
            {words.stay}
          </Button>
          <Button onClick={onLeave}>{words.leaveButton}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
