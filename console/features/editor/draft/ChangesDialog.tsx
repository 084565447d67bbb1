import { Modal } from '@mantine/core';
import { EDITOR } from '../words/editor.ts';
import { ChangeList, type Changes } from './ChangeList.tsx';

const words = EDITOR;

export function ChangesDialog({ onClose, ...changes }: Changes & { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} closeOnClickOutside title={words.changesTitle} size="lg">
      <ChangeList {...changes} />
    </Modal>
  );
}
