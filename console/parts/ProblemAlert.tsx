import { Alert, Button, Code, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { isProblem } from 'perdure-client';
import { WORDS } from '../words/en.ts';
import { isAwayProblem, problemText } from './problemText.ts';

interface ProblemAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** It was read: what nobody answered is read again by itself (`QUERIES`), and nobody has written anything. */
  isRead?: boolean;
}

/** What went wrong, where, and what to quote to whoever runs the API. */
export function ProblemAlert({ error, onRetry, isRead = onRetry !== undefined }: ProblemAlertProps) {
  const problem = isProblem(error) ? error : undefined;
  const isForbidden = problem?.code === 'FORBIDDEN';
  const title = isForbidden ? WORDS.problem.forbidden : WORDS.problem.title;
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={isAwayProblem(error) ? WORDS.problem.away : title}
      styles={{ message: { color: 'var(--mantine-color-text)' }, title: { color: 'var(--ink-bad)' } }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {isRead && isAwayProblem(error) ? WORDS.problem.awayRead : problemText(error)}
      </Text>
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
        <Text size="xs" mt="xs">
          {problem.code} · {WORDS.problem.request} <Code>{problem.requestId}</Code>
        </Text>
      )}
      {onRetry !== undefined && !isForbidden && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {WORDS.retryLoad}
        </Button>
      )}
    </Alert>
  );
}
