import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Moment } from '../../ui/time/Moment.tsx';
import type { FoundDraft } from './draft/useKeptDraft.ts';
import { EDITOR } from './words.ts';

const words = EDITOR;
const READABLE = { message: { color: 'var(--mantine-color-text)' } };

interface DraftNoticeProps {
  drafts: readonly FoundDraft[];
  /** The tag of what is stored now. */
  tag: string;
  onRestore: (key: string) => void;
  onDiscard: (key: string) => void;
}

export function DraftNotice({ drafts, tag, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <Alert color="yellow" mb="sm" styles={READABLE} role="status">
      <Stack gap="xs" mah="14rem" style={{ overflowY: 'auto' }}>
        {drafts.map(({ key, at, draft: { name }, etag: begun }) => (
          <Group key={key} gap="sm">
            <Text size="sm" id={key}>
              {words.draftFound(name)} <Moment at={new Date(at).toISOString()} />. {begun !== tag && words.draftOlder}
            </Text>
            <Group gap="sm" wrap="nowrap">
              <Button size="xs" variant="default" aria-describedby={key} onClick={() => onRestore(key)}>
                {words.restore}
              </Button>
              <Button size="xs" variant="default" aria-describedby={key} onClick={() => onDiscard(key)}>
                {words.discard}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

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

/** Shown above the graph while the code cannot be parsed, so that the two differ. */
export function UnreadNotice({ onShow }: { onShow: () => void }) {
  return (
    <Alert color="yellow" mb="sm" styles={READABLE} role="status">
      <Group gap="sm">
        <Text size="sm">{words.code.unread}</Text>
        <Button size="xs" variant="default" onClick={onShow}>
          {words.code.toCode}
        </Button>
      </Group>
    </Alert>
  );
}
