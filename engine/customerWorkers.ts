import type { TaskKind } from '../domain/app/workerTask.ts';

/** A customer's worker that polled a task queue within the last minutes. */
export interface Poller {
  identity: string;
  lastSeenAt: Date;
  buildId?: string;
}

export interface CalledWorker {
  executionId: string;
  /** The Temporal workflow that made the call. */
  host: string;
  /** workerCallKey. */
  key: string;
  kind: TaskKind;
}

/** Customers' own Temporal workers. Throws EngineAway if the engine does not answer. */
export interface CustomerWorkers {
  /** Includes workers that stopped within the last five minutes. */
  pollersOf(taskQueue: string, kind: TaskKind): Promise<Poller[]>;
  /** Returns false while the call waits on its queue for a worker. */
  isTaken(call: CalledWorker): Promise<boolean>;
}

/** A poll lasts at most 60 s, and its answer may take some more. */
const SILENCE_MS = 75_000;

export function isPolling({ lastSeenAt }: Poller): boolean {
  return Date.now() - lastSeenAt.getTime() < SILENCE_MS;
}
