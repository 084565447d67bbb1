import { loginSubjects, SECOND_FACTOR_LIMIT } from '../../../domain/access/loginLimit.ts';
import { loginLinkMail } from '../../../domain/access/mail.ts';
import { Problem } from '../../../domain/problem.ts';
import { takeLoginToken } from '../../../prisma/store/loginToken/loginTokens.ts';
import { endPendingLogin, tryPendingLogin } from '../../../prisma/store/pendingLogin/pendingLogins.ts';
import { normalizeEmail } from '../../access/email.ts';
import { countLink, recordFailure, refuseBlocked } from '../../access/loginFailures.ts';
import { sendLink } from '../../access/mailedLink.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { provePassword } from '../../access/provePassword.ts';
import { useSecondFactor } from '../../access/secondFactor.ts';
import { sessionOrSecondFactor } from '../../access/sessionOrSecondFactor.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import { startSession } from '../../access/startSession.ts';
import type { AuditDetails, PublicOperation } from '../../operation.ts';

export const login: PublicOperation<'login'> = async ({ body, ip, signal, services, auditDetails }) => {
  const email = normalizeEmail(body.email);
  auditDetails.email = email;
  refusePasswordLogin(services.config, email);
  const { password, workspaceId } = body;
  const wrong = () => new Problem('UNAUTHENTICATED', 'The e-mail address or the password is wrong');
  const { userId, passwordHash, membership, hasSecondFactor } = await provePassword(
    { email, password, workspaceId, ip, signal, services },
    wrong,
  );
  if (!membership) throw new Problem('UNAUTHENTICATED', 'You are not a member of the workspace');
  const member = { ...membership, userId, passwordHash: passwordHash ?? undefined };
  if (!hasSecondFactor) recordLogin(auditDetails, member);
  return sessionOrSecondFactor(services, { ...member, ip }, hasSecondFactor);
};

export const verifyLogin: PublicOperation<'verifyLogin'> = async ({ body, ip, services, auditDetails }) => {
  const { database } = services;
  const hash = hashToken(body.sessionToken);
  const pending = await tryPendingLogin(database, hash, SECOND_FACTOR_LIMIT.tries);
  if (!pending) throw new Problem('UNAUTHENTICATED', 'The session token is used up or expired; log in again');
  const { email, ...member } = pending;
  auditDetails.email = email;
  const subjects = loginSubjects(email, ip);
  await refuseBlocked(database, subjects);
  if (!(await useSecondFactor(services, member.userId, body.token))) {
    await recordFailure(database, subjects);
    throw new Problem('UNAUTHENTICATED', 'The code is wrong or has been used');
  }
  if (!(await endPendingLogin(database, hash))) {
    throw new Problem('UNAUTHENTICATED', 'The session token has been used; log in again');
  }
  recordLogin(auditDetails, member);
  return startSession(services, { ...member, ip });
};

export const loginWithToken: PublicOperation<'loginWithToken'> = async ({ body, ip, services, auditDetails }) => {
  const taken = await takeLoginToken(services.database, hashToken(body.token));
  if (!taken) throw new Problem('UNAUTHENTICATED', 'The token is unknown, used or expired; log in again');
  const { asksSecondFactor, ...member } = taken;
  if (!asksSecondFactor) recordLogin(auditDetails, member);
  return sessionOrSecondFactor(services, { ...member, ip }, asksSecondFactor);
};

const LIFE_MS = 15 * 60_000;

/** The same answer, after the same work, whether or not there is such a person. */
export const requestLoginLink: PublicOperation<'requestLoginLink'> = async ({ body, ip, services, auditDetails }) => {
  const { config, database } = services;
  if (config.SMTP_URL === undefined) throw new Problem('NOT_FOUND', 'This deployment sends no e-mail');
  const email = normalizeEmail(body.email);
  auditDetails.email = email;
  refusePasswordLogin(config, email);
  await countLink(database, loginSubjects(email, ip));
  const expiresAt = new Date(Date.now() + LIFE_MS);
  await sendLink(services, { email, expiresAt, mailOf: (url) => loginLinkMail(email, url, LIFE_MS / 60_000) });
  auditDetails.isOfEmail = true;
  return { accepted: true };
};

/** Records the person and the workspace of a login in the audit log. */
function recordLogin(
  auditDetails: AuditDetails,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): void {
  Object.assign(auditDetails, {
    workspaceId,
    actor: { type: 'user', id: userId },
    resourceId: userId,
  } satisfies AuditDetails);
}
