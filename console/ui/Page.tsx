import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { WORDS } from './words/words.ts';

export function Page({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${WORDS.product}`;
  }, [title]);
  useEffect(() => {
    // A dialog that opened while the page loaded keeps the focus.
    if (document.activeElement?.closest('[role=dialog]')) return;
    // A page that is mainly a form focuses its first field.
    const first = document.querySelector<HTMLElement>('main form [data-autofocus]') ?? heading.current;
    first?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.75rem', marginBottom: '1rem' }}>
        <Title
          order={1}
          size="h2"
          ref={heading}
          tabIndex={-1}
          style={{ marginRight: 'auto', overflowWrap: 'anywhere' }}
        >
          {title}
        </Title>
        {beside}
      </div>
      {children}
    </>
  );
}

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
