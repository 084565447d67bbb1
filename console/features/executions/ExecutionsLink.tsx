import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SearchOf } from '../../ui/search.ts';

export function ExecutionsLink({
  search,
  tone,
  children,
}: {
  search: SearchOf<'/frame/executions'>;
  tone?: 'bad';
  children: ReactNode;
}) {
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
