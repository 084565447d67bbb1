import type { RunStatus } from '../agent/runStatus.ts';
import type { Usage } from '../agent/usage.ts';
import type { AttemptOutcome } from '../event/deliveryPlan.ts';
import type { TerminalStatus } from '../execution/status.ts';

/** The permanent changes of one write of an execution, as that write returns them. Times are in seconds. */
export interface NotedProgress {
  /** Absent for an ad-hoc run. */
  workflowId?: string;
  /** Set if the execution began with this write: the time since it was accepted or released. */
  begunAfter?: number;
  end?: TerminalStatus;
  lasted?: number;
  steps?: readonly EndedStep[];
}

/** Control nodes have the app `control` and their type as the action. */
export type EndedStep = readonly [app: string, action: string, status: string, seconds: number];

/** Receives each end once, when it is stored. If the connection breaks before the write's answer, never. */
export interface StoreObserver {
  progressed(noted: NotedProgress): void;
  turnEnded(status: RunStatus): void;
  modelCalled(usage: Usage): void;
  leasesExpired(count: number): void;
  /** `lateSeconds`: from the event to the end of its first attempt; absent for later attempts. */
  eventAttempted(outcome: AttemptOutcome, lateSeconds?: number): void;
}

export const NO_OBSERVER: StoreObserver = {
  progressed: () => undefined,
  turnEnded: () => undefined,
  modelCalled: () => undefined,
  leasesExpired: () => undefined,
  eventAttempted: () => undefined,
};
