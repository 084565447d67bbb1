import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Moment } from '../parts/Moment.tsx';
import { EDITOR } from '../words/en/editor.ts';

const words = EDITOR;
const READABLE = { message: { color: 'var(--mantine-color-text)' } };

interface DraftNoticeProps {
  at: number;
  /** The workflow was saved since the draft was begun. */
  isOlder: boolean;
  onRestore: () => void;
  onDiscard: () => void;
}

/** There is a draft of an earlier visit. */
export function DraftNotice({ at, isOlder, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <Alert color="yellow" mb="sm" styles={READABLE} role="status">
      <Group gap="sm">
        <Text size="sm">
          {words.draftFound} <Moment at={new Date(at).toISOString()} />. {isOlder && words.draftOlder}
        </Text>
        <Button size="xs" variant="default" onClick={onRestore}>
          {words.restore}
        </Button>
        <Button size="xs" variant="default" onClick={onDiscard}>
          {words.discard}
        </Button>
      </Group>
    </Alert>
  );
}

/** Who may not change it, and why. */
export function ReadOnlyNotice({
  isManaged,
  mayEdit,
  onCopy,
  onEdit,
}: {
  isManaged: boolean;
  mayEdit: boolean;
  onCopy: () => void;
  onEdit: () => void;
}) {
  return (
    <Alert color="blue" mb="sm" styles={READABLE} role="status">
      <Group gap="sm">
        <Text size="sm">{isManaged ? words.managed : words.readOnly}</Text>
        <Button size="xs" variant="default" onClick={onCopy}>
          {words.copyYaml}
        </Button>
        {mayEdit && (
          <Button size="xs" variant="default" onClick={onEdit}>
            {words.editAnyway}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

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
