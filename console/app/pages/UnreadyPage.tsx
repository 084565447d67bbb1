import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type Place, placeName } from './places.ts';

interface UnreadyPageProps {
  title: string;
  /** `error` is null while it loads. */
  query: { error: unknown; refetch: () => unknown };
  /** `missing` is shown if the resource does not exist, with a link to `list`. */
  missing: string;
  list: Place['to'];
}

export function UnreadyPage({ title, query: { error, refetch }, missing, list }: UnreadyPageProps) {
  // A malformed id in the address (400) does not exist either.
  const isMissing = isProblem(error) && (error.status === 404 || error.status === 400);
  return (
    <Page title={title}>
      {error === null && <Loading />}
      {isMissing && (
        <>
          <Text mb="md">{missing}</Text>
          <Anchor component={Link} to={list} underline="always">
            {WORDS.problem.toList(placeName(list))}
          </Anchor>
        </>
      )}
      {error !== null && !isMissing && <ProblemAlert error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
