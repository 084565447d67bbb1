import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyListProps {
  /** Says why one would create such a thing. */
  means: string;
  /** The first actions, if the person may take them. */
  children?: ReactNode;
}

export function EmptyList({ means, children }: EmptyListProps) {
  return (
    <Stack align="center" gap="sm">
      <Text ta="center" maw={520}>
        {means}
      </Text>
      <Group gap="xs" justify="center">
        {children}
      </Group>
    </Stack>
  );
}
