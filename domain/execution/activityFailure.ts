/** Types of the errors that activities throw and workflows distinguish. Histories contain them. */
export const FAILURE = {
  /** Retried until the database is back. */
  databaseAway: 'DATABASE_UNAVAILABLE',
  /** This build lacks the action: the call waits for a build that has it. */
  actionUnknown: 'ACTION_UNKNOWN',
  /** The execution's rows are deleted, so nothing remains to run. */
  gone: 'EXECUTION_GONE',
  /** Workers were lost repeatedly with this call. */
  workerLost: 'WORKER_LOST',
  internal: 'INTERNAL',
} as const;

/** Whether the failure is unrelated to the work itself: the call is then retried without limit. */
export function passes(type: string | null | undefined): boolean {
  return type === FAILURE.databaseAway || type === FAILURE.actionUnknown;
}
