import { Button } from '@mantine/core';
import { EDITOR } from './words.ts';

const words = EDITOR.node;

export interface Copying {
  onCopy: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

export function CopyButtons({ onCopy, onDuplicate, onDelete }: Copying) {
  return (
    <>
      <Button size="xs" px={10} variant="default" onClick={onCopy}>
        {words.copy}
      </Button>
      <Button size="xs" px={10} variant="default" onClick={onDuplicate}>
        {words.duplicate}
      </Button>
      <Button size="xs" px={10} variant="default" c="var(--ink-bad)" onClick={onDelete}>
        {words.delete}
      </Button>
    </>
  );
}
