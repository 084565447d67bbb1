import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from './CopyText.tsx';
import { WORDS } from './words/words.ts';

const words = WORDS.secret;

interface ShownOnceProps {
  title: string;
  means?: string;
  label: string;
  value: string;
  children?: ReactNode;
  onClose: () => void;
}

/** Shows a secret that cannot be read again. Only the button closes it, so that a stray click does not lose it. */
export function ShownOnce({ title, means = words.means, label, value, children, onClose }: ShownOnceProps) {
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false} closeOnEscape={false} size="lg">
      <Stack>
        <Text>{means}</Text>
        <Group align="end" wrap="nowrap">
          <TextInput
            label={label}
            value={value}
            readOnly
            style={{ flex: 1 }}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyText text={value} label={WORDS.copy(label.toLowerCase())} />
        </Group>
        {children}
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {words.stored}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
