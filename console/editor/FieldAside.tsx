import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** A field with a button at its side. */
export function FieldAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" align="end">
      <div style={{ flex: 1, minWidth: 0 }}>{children}</div>
      {aside}
    </Group>
  );
}
