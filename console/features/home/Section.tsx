import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';

interface Read {
  error: unknown;
  /** True only during the first load. */
  isLoading: boolean;
}

interface SectionProps {
  title: string;
  reads?: readonly Read[];
  children: ReactNode;
}

/** A card of the home page. If one card fails, the others stay readable. */
export function Section({ title, reads = [], children }: SectionProps) {
  const failed = reads.find(({ error }) => error !== null);
  return (
    <section className="card">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="xs">
        {failed !== undefined && <ProblemAlert error={failed.error} isRead />}
        {reads.some(({ isLoading }) => isLoading) && <Loading height={60} />}
        {children}
      </Stack>
    </section>
  );
}
