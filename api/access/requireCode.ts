import { loginSubjects } from '../../domain/access/loginLimit.ts';
import { recordFailure, refuseBlocked } from './loginFailures.ts';
import { fieldProblem, type Person, type PersonRequest } from './person.ts';
import { useSecondFactor } from './secondFactor.ts';

/** Uses up a code. A wrong one counts as a failed login. Throws VALIDATION_FAILED at `token`. */
export async function requireCode(
  { ip, services }: PersonRequest,
  { userId, email }: Person,
  token: string,
  which: { unconfirmed?: boolean } = {},
): Promise<void> {
  const subjects = loginSubjects(email, ip);
  await refuseBlocked(services, subjects);
  if (await useSecondFactor(services, userId, token, which)) return;
  await recordFailure(services, subjects);
  throw fieldProblem('token', 'expected the current code of your authenticator app; each code works once');
}
