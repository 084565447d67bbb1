import type { RunStatus } from '../agent/runStatus.ts';
import type { Usage } from '../agent/usage.ts';
import type { AttemptOutcome } from '../event/deliveryPlan.ts';
import type { TerminalStatus } from '../execution/status.ts';

/** What one write of an execution has changed for good, as the database says with the write itself. Times are seconds. */
export interface NotedProgress {
  /** Absent: an ad-hoc run. */
  workflowId?: string;
  /** It has begun with this write, so long after it was accepted, or released. */
  begunAfter?: number;
  /** It has ended with this write. */
  end?: TerminalStatus;
  /** From acceptance to the end. */
  lasted?: number;
  /** Steps that have ended with this write. */
  steps?: readonly EndedStep[];
}

/** Steps without an action are of the app `control`, and the action is their type. */
export type EndedStep = readonly [app: string, action: string, status: string, seconds: number];

/**
 * Learns of ends where they are stored, each once: a repeated write changes nothing, so nothing of it is noted. What was
 * written and never answered, since a connection broke, is not noted by anybody.
 */
export interface StoreObserver {
  progressed(noted: NotedProgress): void;
  turnEnded(status: RunStatus): void;
  /** The usage of one call of a model. */
  modelCalled(usage: Usage): void;
  /** Leases of queue items that ran out. */
  leasesExpired(count: number): void;
  /** `lateSeconds`: from the event to the end of its first attempt; absent where it was not the first. */
  eventAttempted(outcome: AttemptOutcome, lateSeconds?: number): void;
}

/** For processes that serve no metrics. */
export const NO_OBSERVER: StoreObserver = {
  progressed: () => undefined,
  turnEnded: () => undefined,
  modelCalled: () => undefined,
  leasesExpired: () => undefined,
  eventAttempted: () => undefined,
};
