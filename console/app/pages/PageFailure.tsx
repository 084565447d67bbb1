import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { isNotLoaded } from '../../ui/load/lazyPart.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { Door } from './Door.tsx';

export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Container py="xl">
      {isNotLoaded(error) ? (
        // Rendering again would reuse the failed import, so reload the page.
        <ProblemAlert error={WORDS.problem.notLoaded} onRetry={() => location.reload()} />
      ) : (
        <ProblemAlert error={error} onRetry={reset} />
      )}
    </Container>
  );
}

export function FrameFailure(props: ErrorComponentProps) {
  return (
    <Door>
      <Page title={WORDS.problem.notShown}>
        <PageFailure {...props} />
      </Page>
    </Door>
  );
}
