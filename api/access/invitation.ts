import { v7 } from 'uuid';
import { invitationMail } from '../../domain/access/mail.ts';
import { mailPlace } from '../../engine/secrets/sealPlace.ts';
import type { InvitationWay } from '../../prisma/store/invitation/writeInvitation.ts';
import { nameOfWorkspace } from '../../prisma/store/workspace/workspaces.ts';
import type { Services } from '../services.ts';
import { verifyTokenUrl } from './clientUrl.ts';
import { makeLoginToken } from './loginToken.ts';
import { sendLink } from './mailedLink.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';
import { passwordLoginProblem } from './sso/passwordLogins.ts';

export interface Invitation {
  /** Hidden: good for one login of somebody who has no account yet. Null where it went by e-mail. */
  token: string | null;
  /** Null where the deployment has no CLIENT_URL, or it went by e-mail. */
  url: string | null;
  /** The address that it went to; null where it is handed over. */
  sentTo: string | null;
  expiresAt: string;
}

type Parts = Pick<Services, 'database' | 'config' | 'sealer'>;

/**
 * The way by which somebody hears of an invitation, and what the answer shows of it; the same whether or not there is a person of the
 * address. People who are to come by single sign-on get neither link nor mail.
 */
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

/** Another way in for a member whom the workspace has named, and who has lost theirs. */
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
