import { v7 } from 'uuid';
import { invitationMail } from '../../domain/access/mail.ts';
import { mailPlace } from '../../engine/secrets/sealPlace.ts';
import type { InvitationWay } from '../../prisma/store/invitation/writeInvitation.ts';
import { nameOfWorkspace } from '../../prisma/store/workspace/workspaces.ts';
import type { Services } from '../services.ts';
import { verifyTokenUrl } from './clientUrl.ts';
import { makeLoginToken } from './loginToken.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';
import { sendLink } from './sendLink.ts';
import { passwordLoginProblem } from './sso/passwordLogins.ts';

export interface Invitation {
  /** Hidden; valid for one login of a user without an account. Null if sent by e-mail. */
  token: string | null;
  /** Null without CLIENT_URL, or if sent by e-mail. */
  url: string | null;
  /** The recipient's address; null if handed over personally. */
  sentTo: string | null;
  expiresAt: string;
}

type Parts = Pick<Services, 'database' | 'config' | 'sealer'>;

/** The answer is the same whether or not the address has an account. Single sign-on needs neither link nor mail. */
export async function makeInvitationWay(
  { database, config, sealer }: Parts,
  workspaceId: string,
  email: string,
): Promise<{ way: InvitationWay; shown: Invitation | null }> {
  const expiresAt = new Date(Date.now() + config.INVITATION_TTL);
  if (passwordLoginProblem(config, email)) return { way: { tokenHash: null, mail: null, expiresAt }, shown: null };
  const { token, hash: tokenHash } = makeOneTimeToken();
  const url = config.CLIENT_URL === undefined ? null : verifyTokenUrl(config.CLIENT_URL, { token }).href;
  const ends = expiresAt.toISOString();
  if (config.SMTP_URL === undefined || url === null) {
    return { way: { tokenHash, mail: null, expiresAt }, shown: { token, url, sentTo: null, expiresAt: ends } };
  }
  const workspace = await nameOfWorkspace(database, workspaceId);
  const id = v7();
  const letter = invitationMail(email, url, workspace, config.INVITATION_TTL);
  const mail = { id, ...sealer.seal(mailPlace(id), JSON.stringify(letter)) };
  return {
    way: { tokenHash, mail, expiresAt },
    shown: { token: null, url: null, sentTo: email, expiresAt: ends },
  };
}

export async function inviteMember(
  services: Parts,
  workspaceId: string,
  { userId, email }: { userId: string; email: string },
): Promise<Invitation> {
  const { database, config } = services;
  const expiresAt = new Date(Date.now() + config.INVITATION_TTL);
  if (config.SMTP_URL !== undefined) {
    const workspace = await nameOfWorkspace(database, workspaceId);
    const mailOf = (link: string) => invitationMail(email, link, workspace, config.INVITATION_TTL);
    await sendLink(services, { email, workspaceId, expiresAt, mailOf });
    return { token: null, url: null, sentTo: email, expiresAt: expiresAt.toISOString() };
  }
  const token = await makeLoginToken(database, workspaceId, { userId, asksSecondFactor: true, expiresAt });
  const url = config.CLIENT_URL === undefined ? null : verifyTokenUrl(config.CLIENT_URL, { token }).href;
  return { token, url, sentTo: null, expiresAt: expiresAt.toISOString() };
}
