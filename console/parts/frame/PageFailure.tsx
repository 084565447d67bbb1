import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemAlert } from '../problem/ProblemAlert.tsx';

/** In place of a page, or a part of one, that could not be drawn. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Container py="xl">
      <ProblemAlert error={error} onRetry={reset} />
    </Container>
  );
}
