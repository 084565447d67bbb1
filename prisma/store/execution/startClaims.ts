import type { Database } from '../../client.ts';

// A claimed start has `reconciled_at` in the future; claimUnstarted finds only rows whose claim has expired.

/** Returns the starts that may still begin. A newly written row needs no claim: others ignore it for a few seconds. */
export async function renewStartClaims(
  database: Database,
  executionIds: readonly string[],
  claimMs: number,
): Promise<string[]> {
  // Raw: the ids are in this process's own queue, of all workspaces.
  const rows = await database.$queryRaw<{ id: string }[]>`
    UPDATE executions SET reconciled_at = now() + make_interval(secs => ${claimMs / 1_000})
    WHERE id = ANY (${[...executionIds]}::uuid[]) AND status = 'PENDING' AND NOT held
    RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Lets other processes take the starts at once. */
export async function releaseStartClaims(database: Database, executionIds: readonly string[] | 'all'): Promise<void> {
  const ids = executionIds === 'all' ? null : [...executionIds];
  // Raw: the condition matches the index of unstarted executions.
  await database.$executeRaw`
    UPDATE executions SET reconciled_at = now() - interval '1 minute'
    WHERE (status = 'PENDING') IS TRUE AND NOT held AND reconciled_at > now() - interval '1 minute'
      AND (${ids}::uuid[] IS NULL OR id = ANY (${ids}::uuid[]))`;
}
