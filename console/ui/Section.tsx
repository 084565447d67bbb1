import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page, under its own heading, which has the focus when what had it in the part is gone. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs" tabIndex={-1}>
        {title}
      </Title>
      {children}
    </section>
  );
}
