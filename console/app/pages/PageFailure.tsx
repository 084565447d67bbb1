import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { isNotLoaded } from '../../ui/load/loaded.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { Door } from './Door.tsx';

/** In place of a page, or a part of one, that could not be drawn. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Container py="xl">
      {isNotLoaded(error) ? (
        // Drawn once more it would fail by the same try.
        <ProblemAlert error={WORDS.problem.notLoaded} onRetry={() => location.reload()} />
      ) : (
        <ProblemAlert error={error} onRetry={reset} />
      )}
    </Container>
  );
}

/** In place of the frame with all that it holds. */
export function FrameFailure(props: ErrorComponentProps) {
  return (
    <Door>
      <Page title={WORDS.problem.notShown}>
        <PageFailure {...props} />
      </Page>
    </Door>
  );
}
