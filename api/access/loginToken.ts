import type { Database } from '../../prisma/client.ts';
import { insertLoginToken, type NewLoginToken } from '../../prisma/store/loginToken/loginTokens.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';

/** Makes a token of which only the hash is stored. */
export async function makeLoginToken(
  database: Database,
  workspaceId: string,
  login: Omit<NewLoginToken, 'tokenHash'>,
): Promise<string> {
  const { token, hash: tokenHash } = makeOneTimeToken();
  await insertLoginToken(database, workspaceId, { ...login, tokenHash });
  return token;
}
