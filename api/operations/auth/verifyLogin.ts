import { loginSubjects, SECOND_FACTOR_LIMIT } from '../../../domain/access/loginLimit.ts';
import { Problem } from '../../../domain/problem.ts';
import { endPendingLogin } from '../../../prisma/store/pendingLogin/endPendingLogin.ts';
import { tryPendingLogin } from '../../../prisma/store/pendingLogin/tryPendingLogin.ts';
import { cameIn } from '../../access/cameIn.ts';
import { recordFailure, refuseBlocked } from '../../access/loginFailures.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { useSecondFactor } from '../../access/secondFactor.ts';
import { startSession } from '../../access/startSession.ts';
import type { PublicOperation } from '../../operation.ts';

export const verifyLogin: PublicOperation<'verifyLogin'> = async ({ body, ip, services, told }) => {
  const { database } = services;
  const hash = hashToken(body.sessionToken);
  const pending = await tryPendingLogin(database, hash, SECOND_FACTOR_LIMIT.tries);
  if (!pending) throw new Problem('UNAUTHENTICATED', 'The session token is used up or has expired; log in again');
  const { email, ...member } = pending;
  told.email = email;
  const subjects = loginSubjects(email, ip);
  await refuseBlocked(database, subjects);
  if (!(await useSecondFactor(services, member.userId, body.token))) {
    await recordFailure(database, subjects);
    throw new Problem('UNAUTHENTICATED', 'The code is wrong or has been used');
  }
  if (!(await endPendingLogin(database, hash))) {
    throw new Problem('UNAUTHENTICATED', 'The session token has been used; log in again');
  }
  cameIn(told, member);
  return startSession(services, { ...member, ip });
};
