import { Context } from '@temporalio/activity';

/**
 * Returns a signal that aborts `afterStopMs` after the worker stops: another worker then repeats the work, so holding
 * its result is pointless. `signal` is the activity's. A requested cancellation does not abort it: the work is done,
 * and while the database is away the workflow cannot write its own end either.
 */
export function heldSignal(signal: AbortSignal, afterStopMs: number): AbortSignal {
  const context = Context.current();
  const held = new AbortController();
  const stop = () => {
    if (!context.cancellationDetails?.cancelRequested) setTimeout(() => held.abort(), afterStopMs).unref();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return held.signal;
}
