import { Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { useMemo, useState } from 'react';
import { useNow } from '../../ui/time/clock.ts';
import { waitText } from '../../ui/words/numbers.ts';
import { LOGIN } from './words.ts';

export function useLoginAttempt() {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (refusal) {
      setFailure(refusal);
    } finally {
      setBusy(false);
    }
  };
  return { failure, isBusy, attempt };
}

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

/** Workspaces that invite a person who is a member of none. */
export const invitersOf = (failure: unknown) => (isProblem(failure) ? (failure.body.invitedTo ?? []) : []);

/** Returns a sentence about a refused login. `wrong`: the sentence for wrong credentials. */
export function loginProblem(failure: unknown, wrong: string): string {
  if (!isProblem(failure)) return String(failure);
  if (failure.status === 0) return LOGIN.away;
  const { isMember, invitedTo } = failure.body;
  if (isMember === false) {
    // After a login to one workspace, the API does not mention others.
    if (invitedTo === undefined) return LOGIN.noMember;
    return invitedTo.length > 0 ? LOGIN.invitedOnly : LOGIN.noWorkspace;
  }
  if (failure.status === 401) return LOGIN.refused[failure.code] ?? wrong;
  if (failure.status === 429) return LOGIN.tooMany;
  return LOGIN.refused[failure.code] ?? failure.detail;
}
