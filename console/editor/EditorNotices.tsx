import { Alert, Button, Group, Text } from '@mantine/core';
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
        <Text size="sm" flex="1 1 20rem">
          {isManaged ? words.managed : words.readOnly}
        </Text>
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
