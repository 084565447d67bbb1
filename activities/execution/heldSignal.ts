import { Context } from '@temporalio/activity';

/**
 * Aborts when a result in hand is held no longer: `afterStopMs` after its worker stops, since another will do the work again
 * then. `signal` is the activity's. A requested cancellation does not end it: what is done is done, and while the database is
 * away the workflow's own end waits as well.
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
