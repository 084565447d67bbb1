import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { MissingAction } from '../apps/missingAction.ts';
import { withHeartbeat } from '../withHeartbeat.ts';

/** Half of the throttle (worker/tuning.ts), which alone determines how fast a cancellation arrives. */
const HEARTBEAT_MS = 200;
/** Limits the tries of an action that takes its worker down or in which our own code fails. */
export interface MostTries {
  WORKER_LOST_TRIES: number;
  INTERNAL_FAILURE_TRIES: number;
}

/** Earlier tries that reported why they ended. */
interface LostTries {
  /** The worker stopped, the database was away, or the build lacks the action. */
  away: number;
  broken: number;
}

export interface Try {
  /** The number of earlier tries that ended without a reason, so that an answer may have got lost. */
  lost: number;
  /** Whatever ends this try from now on, it counts as lost: the call was made. */
  countAsLost(): void;
}

/**
 * Runs one try of an action, with heartbeats. Temporal repeats every try without a result, and a try reports the reason
 * in its last heartbeat if it still can. Tries without a reason are therefore lost workers, and only they count for
 * `WORKER_LOST`. Throws non-retryable ApplicationFailures of the types WORKER_LOST and INTERNAL, and CancelledFailure.
 */
export async function runTry<T>(most: MostTries, work: (signal: AbortSignal, its: Try) => Promise<T>): Promise<T> {
  const context = Context.current();
  const { attempt, heartbeatDetails } = context.info;
  const lostTries = lostTriesBefore(heartbeatDetails);
  const lost = attempt - 1 - lostTries.away - lostTries.broken;
  if (lost >= most.WORKER_LOST_TRIES) throw forGood('WORKER_LOST');
  if (lostTries.broken >= most.INTERNAL_FAILURE_TRIES) throw forGood('INTERNAL');
  const { cancellationSignal } = context;
  let isLost = false;
  const its: Try = {
    lost,
    countAsLost() {
      isLost = true;
    },
  };
  try {
    return await withHeartbeat(HEARTBEAT_MS, () => work(cancellationSignal, its), lostTries);
  } catch (error) {
    if (context.cancellationDetails?.cancelRequested) throw new CancelledFailure('The activity was cancelled');
    const isStopped = cancellationSignal.aborted;
    const isAway = isStopped || isDatabaseUnavailable(error) || error instanceof MissingAction;
    if (!isLost) {
      context.heartbeat(
        isAway ? { ...lostTries, away: lostTries.away + 1 } : { ...lostTries, broken: lostTries.broken + 1 },
      );
    }
    if (isStopped) throw ApplicationFailure.retryable('The worker stops', 'WORKER_STOPPED');
    throw error;
  }
}

function lostTriesBefore(details: Json | undefined): LostTries {
  const { away, broken } = details !== undefined && isJsonObject(details) ? details : {};
  return { away: Number(away ?? 0), broken: Number(broken ?? 0) };
}

function forGood(type: 'WORKER_LOST' | 'INTERNAL'): ApplicationFailure {
  return ApplicationFailure.nonRetryable('Given up; the log of the workers says more', type);
}
