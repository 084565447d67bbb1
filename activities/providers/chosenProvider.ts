import type { OpenAI } from 'openai';
import type { Config } from '../../config.ts';
import type { CredentialVault } from '../../engine/credentialVault.ts';
import { openConnection } from '../../engine/openConnection.ts';
import type { Database } from '../../prisma/client.ts';
import type { OpenAiClient } from './openAiClient.ts';

export interface ProviderServices {
  config: Pick<Config, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL'>;
  database: Database;
  vault: CredentialVault;
  openAiClient: OpenAiClient;
}

export interface ChosenProvider {
  client: OpenAI;
  /** What nobody may read in a message: for `providerFailure`. */
  secrets: readonly string[];
}

/** There is no provider to ask; the message says what to do. Another try ends the same way. */
export class NoProvider extends Error {
  readonly code = 'PROVIDER_MISSING';
}

/**
 * The provider of an agent or a knowledge base: the connection that it names, otherwise the platform's own. Throws NoProvider,
 * and what the database and the vault throw.
 */
export async function chosenProvider(
  { config, database, vault, openAiClient }: ProviderServices,
  { workspaceId, aiConnectionId }: { workspaceId: string; aiConnectionId?: string | undefined },
): Promise<ChosenProvider> {
  if (aiConnectionId === undefined) {
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = config;
    if (apiKey === undefined) {
      throw new NoProvider(
        'This deployment has no model provider: set OPENAI_API_KEY, or name a connection of app openai',
      );
    }
    return { client: openAiClient({ apiKey, baseUrl }), secrets: [apiKey] };
  }
  const connection = await openConnection(database, vault, workspaceId, aiConnectionId);
  if (connection?.workflowAppId !== 'openai') {
    throw new NoProvider(`The connection ${aiConnectionId} is not one of app openai of this workspace`);
  }
  return providerOf(openAiClient, connection.credentials);
}

/** By the credentials of a connection of app `openai`. */
export function providerOf(openAiClient: OpenAiClient, credentials: Record<string, string>): ChosenProvider {
  const { apiKey = '', baseUrl } = credentials;
  return { client: openAiClient({ apiKey, baseUrl: baseUrl || undefined }), secrets: [apiKey] };
}
