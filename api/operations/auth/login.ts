import { v7 } from 'uuid';
import { LOGIN_LIMIT, loginSubjects } from '../../../domain/access/loginLimit.ts';
import { Problem } from '../../../domain/problem.ts';
import { findLoginBlock } from '../../../prisma/store/loginFailure/findLoginBlock.ts';
import { insertLoginFailures } from '../../../prisma/store/loginFailure/insertLoginFailures.ts';
import { insertSession } from '../../../prisma/store/session/insertSession.ts';
import { findLogin } from '../../../prisma/store/user/findLogin.ts';
import { normalizeEmail } from '../../access/email.ts';
import { verifyPassword } from '../../access/password.ts';
import { createTurnstile } from '../../access/turnstile.ts';
import type { PublicOperation } from '../../operation.ts';

/**
 * A check takes a thread of libuv's four and 32 MiB: two at a time leave threads for files and names. And since the
 * limit is looked at in here, a burst of guesses can pass it by one at most, and by two more for each further API. Fifty
 * wait for some five seconds.
 */
const passTurnstile = createTurnstile({ size: 2, mostWaiting: 50 });

export const login: PublicOperation<'login'> = async ({ body, ip, signal, services }) => {
  const { database, tokens, config } = services;
  const email = normalizeEmail(body.email);
  const subjects = loginSubjects(email, ip);

  const membership = await passTurnstile(signal, async () => {
    const retryAfter = await findLoginBlock(database, subjects, LOGIN_LIMIT);
    if (retryAfter !== undefined) {
      throw new Problem('RATE_LIMITED', 'Too many failed logins; try again later', { retryAfter });
    }
    const found = await findLogin(database, email, body.workspaceId);
    // Whether or not there is such a person, the same work is done and the same answer given.
    if (!(await verifyPassword(body.password, found?.passwordHash)) || !found) {
      const failures = subjects.map((subject) => ({ id: v7(), subject }));
      await insertLoginFailures(database, failures, v7({ msecs: Date.now() - LOGIN_LIMIT.windowMs }));
      throw new Problem('UNAUTHENTICATED', 'The e-mail address or the password is wrong');
    }
    if (!found.membership) throw new Problem('UNAUTHENTICATED', 'You are not a member of the workspace');
    return { ...found.membership, userId: found.userId };
  });

  const sessionId = v7();
  const expiresAt = new Date(Date.now() + config.REFRESH_TOKEN_TTL);
  await insertSession(database, membership.workspaceId, { id: sessionId, userId: membership.userId, expiresAt });
  const subject = { ...membership, sessionId };
  return { access_token: tokens.signAccess(subject), refresh_token: tokens.signRefresh(subject, expiresAt) };
};
