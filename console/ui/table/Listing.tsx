import { Button, Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loading } from '../Loading.tsx';
import { isAwayProblem } from '../notices.tsx';
import { ProblemAlert } from '../problem/ProblemAlert.tsx';
import { WORDS } from '../words/words.ts';

interface Pages {
  data: { pages: readonly { rows: readonly unknown[] }[] } | undefined;
  error: unknown;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

interface ListingProps {
  pages: Pages;
  empty: ReactNode;
  /** The page contains several lists. */
  isLow?: boolean;
  children: ReactNode;
}

export function Listing({ pages, empty, isLow = false, children }: ListingProps) {
  const isEmpty = pages.data?.pages.every(({ rows }) => rows.length === 0) ?? false;
  return (
    <Stack gap="sm">
      {pages.error !== null && !(isAwayProblem(pages.error) && pages.data !== undefined) && (
        <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />
      )}
      {pages.isPending && <Loading {...(isLow ? { height: 60 } : {})} />}
      {isEmpty && isLow && <Text size="sm">{empty}</Text>}
      {isEmpty && !isLow && (
        <Center mih={160}>
          <Text component="div">{empty}</Text>
        </Center>
      )}
      {pages.data !== undefined && !isEmpty && children}
      {pages.hasNextPage && (
        <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {WORDS.more}
        </Button>
      )}
    </Stack>
  );
}
