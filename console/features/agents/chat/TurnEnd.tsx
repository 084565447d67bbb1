import { Alert, Button, Text } from '@mantine/core';
import { errorTextOf } from '../../../../domain/agent/turnEnd.ts';
import { Moment } from '../../../ui/time/Moment.tsx';
import type { LatestRun } from './queries.ts';
import { CHAT } from './words.ts';

const words = CHAT;

export function TurnEnd({ run, onRetry }: { run: LatestRun; onRetry: (() => void) | undefined }) {
  const { status, finishReason, error, retryAt, contextTrimmed } = run;
  const finish = words.finish[finishReason ?? ''];
  return (
    <>
      {status === 'RUNNING' && retryAt !== undefined && (
        <Text size="sm">
          {words.retries} <Moment at={retryAt} />
        </Text>
      )}
      {status === 'FAILED' && (
        <Alert
          role="alert"
          color="red"
          variant="light"
          title={words.failedTitle}
          styles={{ message: { color: 'var(--mantine-color-text)' }, title: { color: 'var(--ink-bad)' } }}
        >
          <Text size="sm">{error?.message ?? errorTextOf(error?.code ?? null)}</Text>
          {error?.message !== undefined && <Text size="xs">{error.code}</Text>}
          {onRetry !== undefined && (
            <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
              {words.tryAgain}
            </Button>
          )}
        </Alert>
      )}
      {status === 'STOPPED' && <Text size="sm">{words.stoppedText}</Text>}
      {status === 'COMPLETED' && finish !== undefined && <Text size="sm">{finish}</Text>}
      {contextTrimmed !== undefined && (
        <Text size="sm">{words.trimmed(contextTrimmed.messages, contextTrimmed.toolResults)}</Text>
      )}
    </>
  );
}
