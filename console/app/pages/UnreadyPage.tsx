import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import type { Place } from './places.ts';

interface UnreadyPageProps {
  title: string;
  /** Null while it loads. */
  error: unknown;
  onRetry: () => void;
  /** `missing` is shown if the resource does not exist, with a link to `list`. */
  missing: string;
  list: { to: Place['to']; label: string };
}

export function UnreadyPage({ title, error, onRetry, missing, list }: UnreadyPageProps) {
  // A malformed id in the address (400) does not exist either.
  const isMissing = isProblem(error) && (error.status === 404 || error.status === 400);
  return (
    <Page title={title}>
      {error === null && <Loading />}
      {isMissing && (
        <>
          <Text mb="md">{missing}</Text>
          <Anchor component={Link} to={list.to} underline="always">
            {WORDS.problem.toList(list.label)}
          </Anchor>
        </>
      )}
      {error !== null && !isMissing && <ProblemAlert error={error} onRetry={onRetry} />}
    </Page>
  );
}
