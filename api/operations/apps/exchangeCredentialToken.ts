import { withoutRenewal } from '../../../domain/app/oauth2.ts';
import { Problem } from '../../../domain/problem.ts';
import { NeedsReconnect, NoTokenNow } from '../../../engine/connections/connectionTokens.ts';
import { spendToken } from '../../../prisma/store/connection/credentialTokens.ts';
import type { PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/** Every refusal is the same, so that a caller learns nothing about other steps. */
export const exchangeCredentialToken: PublicOperation<'exchangeCredentialToken'> = async ({ body, services }) => {
  const spent = await spendToken(services.database, body.token);
  const credentials = spent && (await credentialsOf(services, spent.workspaceId, spent.connectionId));
  if (!credentials) throw new Problem('NOT_FOUND', 'The token is unknown, was used, or has expired');
  return { credentials: withoutRenewal(credentials) };
};

async function credentialsOf({ connectionTokens }: Services, workspaceId: string, connectionId: string) {
  try {
    return (await connectionTokens.open(workspaceId, connectionId))?.credentials;
  } catch (error) {
    // The step's next attempt finds out, and waits for the connection.
    if (error instanceof NeedsReconnect || error instanceof NoTokenNow) return undefined;
    throw error;
  }
}
