import { loginSubjects } from '../../domain/access/loginLimit.ts';
import { siteOf } from '../../domain/access/network.ts';
import type { Problem } from '../../domain/problem.ts';
import { type FoundLogin, findLogin } from '../../prisma/store/user/users.ts';
import type { Services } from '../services.ts';
import { recordFailure, refuseBlocked } from './loginFailures.ts';
import { verifyPassword } from './password.ts';
import { createTurnstile } from './turnstile.ts';

/**
 * A check takes a thread of libuv's four and 32 MiB: two at a time leave threads for files and names. And since the
 * limit is looked at in here, a burst of guesses can pass it by one at most, and by two more for each further API. Fifty
 * wait for some five seconds, of one network half of them at most: a flood from one keeps nobody out who comes from another.
 */
const passTurnstile = createTurnstile({ size: 2, mostWaiting: 50 });

/** Does `work`, which checks one password, in its turn. Throws RATE_LIMITED if too many are waiting. */
export function passPasswordTurnstile<Done>(ip: string, signal: AbortSignal, work: () => Promise<Done>): Promise<Done> {
  return passTurnstile(siteOf(ip), signal, work);
}

export interface PasswordProof {
  /** As api/access/email.ts has it. */
  email: string;
  password: string;
  workspaceId?: string | undefined;
  ip: string;
  signal: AbortSignal;
  services: Pick<Services, 'database' | 'config'>;
}

/**
 * The person with this e-mail address and password. Throws `wrong` for a wrong pair, which counts as a failed login of
 * the account and of the address, and RATE_LIMITED if one of them has failed too often.
 */
export function provePassword(proof: PasswordProof, wrong: () => Problem): Promise<FoundLogin> {
  const { email, password, workspaceId, ip, signal, services } = proof;
  const subjects = loginSubjects(email, ip);
  return passPasswordTurnstile(ip, signal, async () => {
    await refuseBlocked(services, subjects);
    const found = await findLogin(services.database, email, workspaceId);
    // Whether or not there is such a person, the same work is done and the same answer given.
    if ((await verifyPassword(password, found?.passwordHash ?? undefined)) && found) return found;
    await recordFailure(services, subjects);
    throw wrong();
  });
}
