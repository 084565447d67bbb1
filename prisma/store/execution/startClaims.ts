import type { Database } from '../../client.ts';

// A claim of a start is its row's `reconciled_at` ahead of now: claimUnstarted finds only rows whose claim has lapsed.

/**
 * Claims these starts for `claimMs`, and returns those that may still begin: accepted, not held, without an end. A start
 * whose row was written just now is nobody else's for a few seconds and needs no claim.
 */
export async function renewStartClaims(
  database: Database,
  executionIds: readonly string[],
  claimMs: number,
): Promise<string[]> {
  // Raw: the database's clock, in one statement for all. The ids are those of this process's own line, of all workspaces.
  const rows = await database.$queryRaw<{ id: string }[]>`
    UPDATE executions SET reconciled_at = now() + make_interval(secs => ${claimMs / 1_000})
    WHERE id = ANY (${[...executionIds]}::uuid[]) AND status = 'PENDING' AND NOT held
    RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Gives these claims back, or those of every process: another line may have the starts at once. */
export async function releaseStartClaims(database: Database, executionIds: readonly string[] | 'all'): Promise<void> {
  const ids = executionIds === 'all' ? null : [...executionIds];
  // Raw: as renewStartClaims. The condition has the words of the index of unstarted executions.
  await database.$executeRaw`
    UPDATE executions SET reconciled_at = now() - interval '1 minute'
    WHERE (status = 'PENDING') IS TRUE AND NOT held AND reconciled_at > now() - interval '1 minute'
      AND (${ids}::uuid[] IS NULL OR id = ANY (${ids}::uuid[]))`;
}
