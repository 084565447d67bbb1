import { Problem } from '../../../domain/problem.ts';
import { takeInvitation } from '../../../prisma/store/invitation/acceptInvitation.ts';
import { takeLoginToken } from '../../../prisma/store/loginToken/loginTokens.ts';
import { type Link, readLink } from '../../../prisma/store/loginToken/readLink.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { hashPassword } from '../../access/password.ts';
import { passwordProblem } from '../../access/passwordRules.ts';
import { passwordOwner } from '../../access/person.ts';
import { recordLogin } from '../../access/recordLogin.ts';
import { sessionOrSecondFactor } from '../../access/sessionOrSecondFactor.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import { takeHandedInvitation } from '../../access/takeHandedInvitation.ts';
import type { AuditDetails, PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/** Names the user of a token, so that nobody uses another user's link without noticing. */
export const readLoginToken: PublicOperation<'readLoginToken'> = async ({ body, services }) => {
  const link = await readLink(services.database, hashToken(body.token));
  if (!link) throw refused();
  const { email, workspace, kind } = link;
  return { email, workspace, isSingleSignOn: kind === 'singleSignOn', needsPassword: needsPassword(link) };
};

export const loginWithToken: PublicOperation<'loginWithToken'> = async (request) => {
  const { body, ip, signal, services, auditDetails } = request;
  const { database } = services;
  const hash = hashToken(body.token);
  const link = await readLink(database, hash);
  if (!link) throw refused();
  let member: Parameters<typeof sessionOrSecondFactor>[1];
  let asksSecondFactor = false;
  if (link.kind !== 'invitation') {
    const firstPassword = needsPassword(link) ? await firstPasswordOf(body.password, link, { services, signal }) : null;
    const taken = await takeLoginToken(database, hash, firstPassword);
    if (!taken) throw refused();
    member = { ...taken, ip };
    asksSecondFactor = taken.asksSecondFactor;
  } else if (link.provesEmail) {
    member = { ...(await takeMailedInvitation(services, hash)), ip };
  } else {
    const { email, workspace } = link;
    Object.assign(auditDetails, { email, askedFor: workspace.id } satisfies AuditDetails);
    refusePasswordLogin(services.config, email);
    const { password } = body;
    if (password === undefined) throw refused();
    const { hasSecondFactor, ...taken } = await takeHandedInvitation(
      { invitation: link, tokenHash: hash, password, ip, signal, services },
      refused,
    );
    member = { ...taken, ip };
    asksSecondFactor = hasSecondFactor;
  }
  if (!asksSecondFactor) recordLogin(auditDetails, member);
  return sessionOrSecondFactor(services, member, asksSecondFactor);
};

/** For a handed-over invitation, and for a link to a member whose password an admin has voided. */
function needsPassword({ kind, provesEmail, hasPassword }: Link): boolean {
  return kind !== 'singleSignOn' && !provesEmail && !hasPassword;
}

async function firstPasswordOf(
  password: string | undefined,
  { email, name, role, workspace }: Link,
  { services, signal }: { services: Pick<Services, 'config'>; signal: AbortSignal },
): Promise<string | null> {
  if (password === undefined) return null;
  const owner = passwordOwner({ email, name, workspaces: [{ name: workspace.name, role }] });
  if ((await passwordProblem(password, owner, services.config, signal)) !== undefined) throw refused();
  return hashPassword(password);
}

/** Logs an invited user in for the first time. For an existing account the token only names the invitation. */
async function takeMailedInvitation({ database }: Pick<Services, 'database'>, hash: Uint8Array<ArrayBuffer>) {
  const taken = await takeInvitation(database, hash, null);
  if (!taken) throw refused();
  const { invitationId, claim, ...member } = taken;
  if (claim !== 'known') return { ...member, isProof: false };
  throw new Problem(
    'UNAUTHENTICATED',
    `This address has an account: log in with it, and accept the invitation ${invitationId}`,
    { members: { invitationId } },
  );
}

/** Equal for every reason, so that a handed-over token does not reveal whether the address has an account. */
function refused(): Problem {
  return new Problem(
    'UNAUTHENTICATED',
    'The token is unknown, used or expired, or its password is missing, wrong or easy to guess. The token of an invitation needs the password of the account, or a new one if there is no account',
  );
}
