import { Anchor, Card, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../../search.ts';
import { ProblemAlert } from '../ProblemAlert.tsx';

/** A card of the home page; a part that failed leaves the others readable. */
export function Section({ title, error, children }: { title: string; error?: unknown; children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="xs">
        {error != null && <ProblemAlert error={error} />}
        {children}
      </Stack>
    </Card>
  );
}

/** To the list of executions with this filter. */
export function ListLink({ search, children }: { search: Search; children: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/executions" search={search} {...props} />} underline="always">
      {children}
    </Anchor>
  );
}
