import { invitationMail } from '../../domain/access/mail.ts';
import { insertLoginToken } from '../../prisma/store/loginToken/loginTokens.ts';
import { nameOfWorkspace } from '../../prisma/store/workspace/workspaces.ts';
import type { Services } from '../services.ts';
import { verifyTokenUrl } from './clientUrl.ts';
import { sendLink } from './mailedLink.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';

export interface Invitation {
  /** Hidden: good for one login. Null where it went by e-mail. */
  token: string | null;
  /** Null where the deployment has no CLIENT_URL, or it went by e-mail. */
  url: string | null;
  /** The address that it went to; null where it is handed over. */
  sentTo: string | null;
  expiresAt: string;
}

export interface Invited {
  userId: string;
  email: string;
}

const DAY_MS = 86_400_000;

/** A first way in for somebody who has none. */
export async function invite(
  services: Pick<Services, 'database' | 'config' | 'sealer'>,
  workspaceId: string,
  { userId, email }: Invited,
): Promise<Invitation> {
  const { database, config } = services;
  const expiresAt = new Date(Date.now() + config.INVITATION_TTL);
  if (config.SMTP_URL !== undefined) {
    const workspace = await nameOfWorkspace(database, workspaceId);
    const days = Math.max(1, Math.round(config.INVITATION_TTL / DAY_MS));
    const mailOf = (link: string) => invitationMail(email, link, workspace, days);
    await sendLink(services, { email, workspaceId, expiresAt, mailOf });
    return { token: null, url: null, sentTo: email, expiresAt: expiresAt.toISOString() };
  }
  const { token, hash } = makeOneTimeToken();
  await insertLoginToken(database, workspaceId, { tokenHash: hash, userId, asksSecondFactor: true, expiresAt });
  const url = config.CLIENT_URL === undefined ? null : verifyTokenUrl(config.CLIENT_URL, { token }).href;
  return { token, url, sentTo: null, expiresAt: expiresAt.toISOString() };
}
