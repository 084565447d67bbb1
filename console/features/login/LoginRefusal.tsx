import { Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { useMemo } from 'react';
import { useNow } from '../../ui/time/clock.ts';
import { waitText } from '../../ui/words/numbers.ts';
import { loginProblem } from './loginProblem.ts';
import { LOGIN } from './words.ts';

/** The wait if the API sends none. */
const SOME_WAIT_MS = 60_000;

export function LoginRefusal({ failure, wrong }: { failure: unknown; wrong: string }) {
  return (
    <>
      <div role="alert">{failure !== undefined && <Text c="var(--ink-bad)">{loginProblem(failure, wrong)}</Text>}</div>
      <LoginWait failure={failure} />
    </>
  );
}

/** Counts down after a 429. Not part of the alert, which screen readers would repeat each second. */
export function LoginWait({ failure }: { failure: unknown }) {
  const until = useMemo(() => waitEnd(failure), [failure]);
  return until === undefined ? null : <WaitLeft until={until} />;
}

const waitEnd = (failure: unknown): number | undefined =>
  isProblem(failure) && failure.status === 429 ? Date.now() + (failure.retryAfterMs ?? SOME_WAIT_MS) : undefined;

function WaitLeft({ until }: { until: number }) {
  const left = until - useNow();
  if (left <= 0) return <Text role="status">{LOGIN.againNow}</Text>;
  return <Text role="timer">{LOGIN.againIn(waitText(left))}</Text>;
}
