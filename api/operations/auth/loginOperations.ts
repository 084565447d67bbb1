import { normalizeEmail } from '../../../domain/access/emailAddress.ts';
import { loginSubjects } from '../../../domain/access/loginLimit.ts';
import { loginLinkMail } from '../../../domain/access/mail.ts';
import { Problem } from '../../../domain/problem.ts';
import { acceptInvitation } from '../../../prisma/store/invitation/acceptInvitation.ts';
import { readOwnInvitations } from '../../../prisma/store/invitation/ownInvitations.ts';
import { endPendingLogin, tryPendingLogin } from '../../../prisma/store/pendingLogin/pendingLogins.ts';
import { countLink, recordFailure, refuseBlocked } from '../../access/loginFailures.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { provePassword } from '../../access/provePassword.ts';
import { recordLogin } from '../../access/recordLogin.ts';
import { useSecondFactor } from '../../access/secondFactor.ts';
import { sendLink } from '../../access/sendLink.ts';
import { sessionOrSecondFactor } from '../../access/sessionOrSecondFactor.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import { startSession } from '../../access/startSession.ts';
import type { AuditDetails, PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';

export const login: PublicOperation<'login'> = async ({ body, ip, signal, services, auditDetails }) => {
  const email = normalizeEmail(body.email);
  const { password, workspaceId } = body;
  Object.assign(auditDetails, { email, askedFor: workspaceId } satisfies AuditDetails);
  refusePasswordLogin(services.config, email);
  const wrong = () => new Problem('UNAUTHENTICATED', 'The e-mail address or the password is wrong');
  const { userId, passwordHash, hasSecondFactor, ...found } = await provePassword(
    { email, password, workspaceId, ip, signal, services },
    wrong,
  );
  const membership = found.membership ?? (await acceptedAt(services, userId, workspaceId));
  const member = { ...membership, userId, passwordHash: passwordHash ?? undefined, isProof: true };
  if (!hasSecondFactor) recordLogin(auditDetails, member);
  return sessionOrSecondFactor(services, { ...member, ip }, hasSecondFactor);
};

export const verifyLogin: PublicOperation<'verifyLogin'> = async ({ body, ip, services, auditDetails }) => {
  const { database, config } = services;
  const hash = hashToken(body.sessionToken);
  const pending = await tryPendingLogin(database, hash, config.SECOND_FACTOR_TRIES);
  if (!pending) throw new Problem('UNAUTHENTICATED', 'The session token has been used or has expired; log in again');
  const { email, ...member } = pending;
  Object.assign(auditDetails, { email, askedFor: member.workspaceId } satisfies AuditDetails);
  const subjects = loginSubjects(email, ip);
  await refuseBlocked(services, subjects);
  if (!(await useSecondFactor(services, member.userId, body.token))) {
    await recordFailure(services, subjects);
    throw new Problem('UNAUTHENTICATED', 'The code is wrong or has been used');
  }
  if (!(await endPendingLogin(database, hash))) {
    throw new Problem('UNAUTHENTICATED', 'The session token has been used; log in again');
  }
  recordLogin(auditDetails, member);
  return startSession(services, { ...member, ip });
};

/** Accepts the invitation of the named workspace after a correct password: the user may be a member of no other one. */
async function acceptedAt({ database }: Pick<Services, 'database'>, userId: string, workspaceId: string | undefined) {
  if (workspaceId !== undefined) {
    const accepted = await acceptInvitation(database, userId, { workspaceId });
    if (accepted) return { workspaceId, role: accepted.role };
    throw new Problem('UNAUTHENTICATED', 'You are not a member of the workspace', { members: { isMember: false } });
  }
  const invitations = await readOwnInvitations(database, userId);
  const named = invitations.map(({ workspace }) => `${workspace.name} (${workspace.id})`).join(', ');
  const way = named === '' ? '' : `: log in with the workspaceId of an invitation to accept it: ${named}`;
  const invitedTo = invitations.map(({ workspace }) => workspace);
  throw new Problem('UNAUTHENTICATED', `You are a member of no workspace${way}`, {
    members: { isMember: false, invitedTo },
  });
}

/** The work and the answer are the same whether or not the user exists. */
export const requestLoginLink: PublicOperation<'requestLoginLink'> = async ({ body, ip, services, auditDetails }) => {
  const { config } = services;
  const { LOGIN_LINK_TTL: lifeMs } = config;
  if (config.SMTP_URL === undefined) throw new Problem('NOT_FOUND', 'This deployment sends no e-mail');
  const email = normalizeEmail(body.email);
  auditDetails.email = email;
  refusePasswordLogin(config, email);
  await countLink(services, loginSubjects(email, ip));
  const expiresAt = new Date(Date.now() + lifeMs);
  await sendLink(services, { email, expiresAt, mailOf: (url) => loginLinkMail(email, url, lifeMs) });
  auditDetails.isOfEmail = true;
  return { accepted: true };
};
