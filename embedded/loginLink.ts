import { verifyTokenUrl } from '../api/access/clientUrl.ts';
import { makeLoginToken } from '../api/access/loginToken.ts';
import { passwordLoginProblem } from '../api/access/sso/passwordLogins.ts';
import type { Config } from '../config.ts';
import type { Database } from '../prisma/client.ts';
import { memberOfAddress } from '../prisma/store/workspaceUser/workspaceUsers.ts';
import type { FirstCredentials } from './credentials.ts';

/** Works once within LOGIN_LINK_TTL. Null if the user no longer exists, or only single sign-on is allowed. */
export async function loginLink(
  database: Database,
  config: Pick<Config, 'SSO_PROVIDERS' | 'LOGIN_LINK_TTL'>,
  { url, workspaceId, email }: FirstCredentials,
): Promise<string | null> {
  if (passwordLoginProblem(config, email)) return null;
  const userId = await memberOfAddress(database, workspaceId, email);
  if (userId === undefined) return null;
  const expiresAt = new Date(Date.now() + config.LOGIN_LINK_TTL);
  const token = await makeLoginToken(database, workspaceId, { userId, asksSecondFactor: true, expiresAt });
  return verifyTokenUrl(`${url}/console`, { token }).href;
}
