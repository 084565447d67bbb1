import { Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface FullScreenProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A list or panel of the editor, which the first Escape closes. */
const OPEN = '.cm-tooltip, .cm-panel';

/** Shows an editor over the whole window. Escape closes the editor's own lists and panels first. */
export function FullScreen({ title, onClose, children }: FullScreenProps) {
  return (
    <Modal
      opened
      fullScreen
      closeOnEscape={false}
      title={title}
      onClose={onClose}
      // Before the editor, which also takes the key while it looks for completions that nobody sees yet.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Escape' || event.currentTarget.querySelector(OPEN) !== null) return;
        event.preventDefault();
        onClose();
      }}
      // React passes keys on to the form behind the dialog, which would leave its field.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Stack gap="xs">{children}</Stack>
    </Modal>
  );
}
