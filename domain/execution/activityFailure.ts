/** Types of the errors that activities throw and workflows tell apart. Histories contain them. */
export const FAILURE = {
  /** It is tried until the database is back. */
  databaseAway: 'DATABASE_UNAVAILABLE',
  /** This build has no such action: it waits for a build that has. */
  actionUnknown: 'ACTION_UNKNOWN',
  /** The rows of the execution are gone: nothing is left to run. */
  gone: 'EXECUTION_GONE',
  /** Workers were lost with this piece of work, again and again. */
  workerLost: 'WORKER_LOST',
  /** Our own code failed, again and again. */
  internal: 'INTERNAL',
} as const;

/** It says nothing about the work: however often it comes, the work is tried again. */
export function passes(type: string | null | undefined): boolean {
  return type === FAILURE.databaseAway || type === FAILURE.actionUnknown;
}
