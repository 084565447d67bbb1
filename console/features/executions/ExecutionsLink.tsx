import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../../ui/search.ts';

export function ExecutionsLink({ search, tone, children }: { search: Search; tone?: 'bad'; children: ReactNode }) {
  return (
    <Anchor
      renderRoot={(props) => <Link to="/executions" search={search} {...props} />}
      underline="always"
      {...(tone === undefined ? {} : { c: `var(--ink-${tone})` })}
    >
      {children}
    </Anchor>
  );
}
