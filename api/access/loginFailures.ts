import { accountSubject, addressSubject, failureSubjects, type LoginSubjects } from '../../domain/access/loginLimit.ts';
import { Problem } from '../../domain/problem.ts';
import { countLoginTries, findLoginBlock, insertLoginFailures } from '../../prisma/store/loginFailure/loginFailures.ts';
import type { Services } from '../services.ts';

type Parts = Pick<Services, 'database' | 'config'>;

/** Throws RATE_LIMITED. Strangers cannot block an address from which the user has logged in before. */
export async function refuseBlocked({ database, config }: Parts, login: LoginSubjects): Promise<void> {
  const retryAfter = await findLoginBlock(database, failureSubjects(login, config), config.LOGIN_WINDOW, login);
  if (retryAfter === undefined) return;
  throw new Problem('RATE_LIMITED', 'Too many failed logins; try again later', { retryAfter });
}

export function recordFailure({ database, config }: Parts, login: LoginSubjects): Promise<void> {
  const subjects = failureSubjects(login, config).map(({ subject }) => subject);
  return insertLoginFailures(database, subjects, config.LOGIN_WINDOW);
}

export async function countLink({ database, config }: Parts, login: LoginSubjects): Promise<void> {
  const tries = [
    { subject: `link ${accountSubject(login)}`, most: config.LOGIN_LINKS_MAX },
    { subject: `link ${addressSubject(login)}`, most: config.LOGIN_LINKS_MAX_ADDRESS },
  ];
  const retryAfter = await countLoginTries(database, tries, config.LOGIN_WINDOW);
  if (retryAfter === undefined) return;
  throw new Problem('RATE_LIMITED', 'Too many login links were requested; try again later', { retryAfter });
}
