import { loginSubjects } from '../../domain/access/loginLimit.ts';
import { siteOf } from '../../domain/access/network.ts';
import type { Problem } from '../../domain/problem.ts';
import { type FoundLogin, findLogin } from '../../prisma/store/user/users.ts';
import type { Services } from '../services.ts';
import { recordFailure, refuseBlocked } from './loginFailures.ts';
import { verifyPassword } from './password.ts';
import { createTurnstile } from './turnstile.ts';

/**
 * A check uses one of libuv's four threads and 32 MiB; two at a time leave threads for files and names. Bursts exceed
 * the limit by one guess, and two per further process. Fifty wait about five seconds, at most half from one network.
 */
const passTurnstile = createTurnstile({ size: 2, maxWaiting: 50 });

export function passPasswordTurnstile<Done>(ip: string, signal: AbortSignal, work: () => Promise<Done>): Promise<Done> {
  return passTurnstile(siteOf(ip), signal, work);
}

export interface PasswordProof {
  email: string;
  password: string;
  workspaceId?: string | undefined;
  ip: string;
  signal: AbortSignal;
  services: Pick<Services, 'database' | 'config'>;
}

/** A wrong pair counts as a failed login. Throws `wrong`, or RATE_LIMITED after many failures. */
export function provePassword(proof: PasswordProof, wrong: () => Problem): Promise<FoundLogin> {
  const { email, password, workspaceId, ip, signal, services } = proof;
  const subjects = loginSubjects(email, ip);
  return passPasswordTurnstile(ip, signal, async () => {
    await refuseBlocked(services, subjects);
    const found = await findLogin(services.database, email, workspaceId);
    // The work and the answer are the same whether or not the user exists.
    if ((await verifyPassword(password, found?.passwordHash ?? undefined)) && found) return found;
    await recordFailure(services, subjects);
    throw wrong();
  });
}
