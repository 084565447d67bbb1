import { useState } from 'react';
import { loginProblem } from './loginProblem.ts';

/** A step of a login: whether it is on its way, and why it failed, in a sentence and as it came. `wrong`: what is said where the person was refused. */
export function useLoginAttempt(wrong: string) {
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
  return { problem: failure === undefined ? undefined : loginProblem(failure, wrong), failure, isBusy, attempt };
}
