import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page. Its heading can take the focus when the focused element in it disappears. */
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
