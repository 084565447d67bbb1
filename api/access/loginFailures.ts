import { v7 } from 'uuid';
import { LOGIN_LIMIT } from '../../domain/access/loginLimit.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { findLoginBlock } from '../../prisma/store/loginFailure/findLoginBlock.ts';
import { insertLoginFailures } from '../../prisma/store/loginFailure/insertLoginFailures.ts';

/** Throws RATE_LIMITED where one of the subjects (domain/access/loginLimit.ts) has failed too often. */
export async function refuseBlocked(
  database: Database,
  subjects: readonly string[],
  limit: { failures: number; windowMs: number } = LOGIN_LIMIT,
): Promise<void> {
  const retryAfter = await findLoginBlock(database, subjects, limit);
  if (retryAfter === undefined) return;
  throw new Problem(
    'RATE_LIMITED',
    limit === LOGIN_LIMIT ? 'Too many failed logins; try again later' : 'Too many tries; try again later',
    { retryAfter },
  );
}

export function recordFailure(database: Database, subjects: readonly string[]): Promise<void> {
  const failures = subjects.map((subject) => ({ id: v7(), subject }));
  return insertLoginFailures(database, failures, v7({ msecs: Date.now() - LOGIN_LIMIT.windowMs }));
}
