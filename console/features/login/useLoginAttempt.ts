import { useState } from 'react';

/** A step of a login: whether it is on its way, and why it failed, as it came. */
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
