import { useState } from 'react';
import { loginProblem } from './loginProblem.ts';

/** A step of a login: whether it is on its way, and why it failed. `wrong`: what is said where the person was refused. */
export function useLoginAttempt(wrong: string) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (failure) {
      setProblem(loginProblem(failure, wrong));
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, attempt };
}
