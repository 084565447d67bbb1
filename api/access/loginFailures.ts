import { v7 } from 'uuid';
import { failureSubjects, LOGIN_LIMIT, type LoginSubjects } from '../../domain/access/loginLimit.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { findLoginBlock } from '../../prisma/store/loginFailure/findLoginBlock.ts';
import { insertLoginFailures } from '../../prisma/store/loginFailure/insertLoginFailures.ts';

interface Limit {
  failures: number;
  windowMs: number;
}

/**
 * Throws RATE_LIMITED if the account or the address has failed too often. From an address where the person has logged
 * in before, failures of the account do not count: strangers cannot lock the person out there.
 */
export async function refuseBlocked(database: Database, login: LoginSubjects): Promise<void> {
  const retryAfter = await findLoginBlock(database, failureSubjects(login), LOGIN_LIMIT, login);
  if (retryAfter === undefined) return;
  throw new Problem('RATE_LIMITED', 'Too many failed logins; try again later', { retryAfter });
}

/** Throws RATE_LIMITED where something has been tried too often, by anybody from anywhere. */
export async function refuseTooMany(database: Database, subject: string, limit: Limit): Promise<void> {
  const retryAfter = await findLoginBlock(database, [subject], limit);
  if (retryAfter === undefined) return;
  throw new Problem('RATE_LIMITED', 'Too many tries; try again later', { retryAfter });
}

export function recordFailure(database: Database, login: LoginSubjects): Promise<void> {
  return recordTries(database, failureSubjects(login));
}

export function recordTries(database: Database, subjects: readonly string[]): Promise<void> {
  const failures = subjects.map((subject) => ({ id: v7(), subject }));
  return insertLoginFailures(database, failures, v7({ msecs: Date.now() - LOGIN_LIMIT.windowMs }));
}
