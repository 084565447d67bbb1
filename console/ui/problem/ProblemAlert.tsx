import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useEffect } from 'react';
import { CopyText } from '../CopyText.tsx';
import { newReaders } from '../load/readers.ts';
import { isAwayProblem, isBusyProblem, problemText, problemTitle } from '../notices.tsx';
import { waitText } from '../words/numbers.ts';
import { WORDS } from '../words/words.ts';

interface ProblemAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** The error comes from a read. The button repeats it, and `QUERIES` repeats unanswered reads automatically. */
  isRead?: boolean;
}

const readAgain = (queries: QueryClient, error: unknown) =>
  void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error === error });

/** Above this wait, "a moment" would mislead: too many wrong codes cause a wait of minutes. */
const LONG_WAIT_MS = 30_000;

export function ProblemAlert({ error, onRetry, isRead = onRetry !== undefined }: ProblemAlertProps) {
  useSaid(error);
  const queries = useQueryClient();
  const problem = isProblem(error) ? error : undefined;
  const isForbidden = problem?.code === 'FORBIDDEN';
  const onAgain = onRetry ?? (isRead ? () => readAgain(queries, error) : undefined);
  const waitMs = problem?.retryAfterMs ?? 0;
  const isLong = isBusyProblem(error) && waitMs >= LONG_WAIT_MS;
  const help = isLong ? WORDS.problem.busyHelp(waitText(waitMs)) : WORDS.problem.awayHelp;
  const later = isRead ? WORDS.problem.awayRead : help;
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={isForbidden ? WORDS.problem.forbidden : problemTitle(error)}
      styles={{ message: { color: 'var(--mantine-color-text)' }, title: { color: 'var(--ink-bad)' } }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {isAwayProblem(error) ? later : problemText(error)}
      </Text>
      {isBusyProblem(error) && <Text size="sm">{later}</Text>}
      {isForbidden && <Text size="sm">{WORDS.problem.forbiddenHelp}</Text>}
      {problem !== undefined && problem.errors.length > 1 && (
        <List size="sm">
          {problem.errors.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <Code>{path}</Code> {message}
            </List.Item>
          ))}
        </List>
      )}
      {problem?.requestId !== undefined && (
        <Group gap="xs" mt="xs">
          <Text size="xs">
            <Anchor href={`/docs/problems#${problem.code}`} target="_blank" rel="noopener" size="xs" underline="always">
              {problem.code}
            </Anchor>{' '}
            · {WORDS.problem.request} <Code>{problem.requestId}</Code>
          </Text>
          <CopyText size="compact-xs" label={WORDS.problem.copyRequest} text={problem.requestId} />
        </Group>
      )}
      {onAgain !== undefined && !isForbidden && (
        <Button mt="sm" size="xs" variant="default" onClick={onAgain}>
          {WORDS.retryLoad}
        </Button>
      )}
    </Alert>
  );
}

/** Problems that a component shows in place, with the number of such components. */
const said = new Map<unknown, number>();
const readers = newReaders();

/** Marks the problem as shown while the calling component is mounted. */
export function useSaid(problem: unknown): void {
  useEffect(() => {
    change(problem, 1);
    return () => change(problem, -1);
  }, [problem]);
}

function change(problem: unknown, by: number): void {
  const times = (said.get(problem) ?? 0) + by;
  if (times > 0) said.set(problem, times);
  else said.delete(problem);
  readers.say();
}

export const isSaid = (problem: unknown) => said.has(problem);

/** Calls `read` when a problem is shown or no longer shown. Returns a function that stops this. */
export const onSaid = readers.subscribe;
