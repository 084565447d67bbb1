import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      <Text span c="var(--ink-neutral)" size="sm">
        {name}
      </Text>{' '}
      {children}
    </Text>
  );
}
