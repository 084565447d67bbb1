import { Card, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from '../ProblemAlert.tsx';

/** A card of the home page; a part that failed leaves the others readable. */
export function Section({ title, error, children }: { title: string; error?: unknown; children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="xs">
        {error != null && <ProblemAlert error={error} isRead />}
        {children}
      </Stack>
    </Card>
  );
}
