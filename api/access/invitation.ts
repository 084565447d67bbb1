import { insertLoginToken } from '../../prisma/store/loginToken/insertLoginToken.ts';
import type { Services } from '../services.ts';
import { verifyTokenUrl } from './clientUrl.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';

export interface Invitation {
  /** Hidden: good for one login. */
  token: string;
  /** Null where the deployment has no CLIENT_URL. */
  url: string | null;
  expiresAt: string;
}

/** A first way in for somebody who has none. */
export async function invite(
  { database, config }: Pick<Services, 'database' | 'config'>,
  workspaceId: string,
  userId: string,
): Promise<Invitation> {
  const { token, hash } = makeOneTimeToken();
  const expiresAt = new Date(Date.now() + config.INVITATION_TTL);
  await insertLoginToken(database, workspaceId, { tokenHash: hash, userId, asksSecondFactor: true, expiresAt });
  const url = config.CLIENT_URL === undefined ? null : verifyTokenUrl(config.CLIENT_URL, { token }).href;
  return { token, url, expiresAt: expiresAt.toISOString() };
}
