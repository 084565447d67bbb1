import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { EDITOR } from '../words/en/editor.ts';

const words = EDITOR;

interface ConflictDialogProps {
  isBusy: boolean;
  onReload: () => void;
  onOverwrite: () => void;
  onClose: () => void;
}

/** Somebody else has saved the workflow meanwhile. */
export function ConflictDialog({ isBusy, onReload, onOverwrite, onClose }: ConflictDialogProps) {
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
        </div>
      </Stack>
    </Modal>
  );
}

/** Asks before changes are left behind. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Modal opened onClose={onStay} title={words.leave}>
      <Stack>
        <Text>{words.leaveText}</Text>
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
