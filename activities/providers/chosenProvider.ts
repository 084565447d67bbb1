import { createHash } from 'node:crypto';
import type { OpenAI } from 'openai';
import { validate } from 'uuid';
import type { Config } from '../../config.ts';
import type { CredentialVault } from '../../engine/secrets/credentialVault.ts';
import type { Database } from '../../prisma/client.ts';
import { findSealedConnection, type SealedConnection } from '../../prisma/store/connection/findSealedConnection.ts';
import type { OpenAiClient } from './openAiClient.ts';

export interface ProviderServices {
  config: Pick<Config, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL'>;
  database: Database;
  vault: CredentialVault;
  openAiClient: OpenAiClient;
}

export interface NamedProvider {
  workspaceId: string;
  aiConnectionId?: string | undefined;
}

export interface ChosenProvider {
  client: OpenAI;
  /** Identifies the provider by a digest of its address. Messages store it with data for this provider. */
  id: string;
  secrets: readonly string[];
}

/** No provider is configured. The message says what to do; a retry ends the same way. */
export class NoProvider extends Error {
  readonly code = 'PROVIDER_MISSING';
}

/** Without a named connection, the platform's own. Throws NoProvider, and errors of the database and the vault. */
export async function chosenProvider(services: ProviderServices, named: NamedProvider): Promise<ChosenProvider> {
  const { workspaceId, aiConnectionId } = named;
  const isId = aiConnectionId !== undefined && validate(aiConnectionId);
  return openProvider(
    services,
    named,
    isId ? await findSealedConnection(services.database, workspaceId, aiConnectionId) : undefined,
  );
}

export async function openProvider(
  { config, vault, openAiClient }: Omit<ProviderServices, 'database'>,
  { workspaceId, aiConnectionId }: NamedProvider,
  connection: SealedConnection | undefined,
): Promise<ChosenProvider> {
  if (aiConnectionId === undefined) {
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = config;
    if (apiKey === undefined) {
      throw new NoProvider(
        'This deployment has no model provider: set OPENAI_API_KEY, or name a connection of app openai',
      );
    }
    return withId(await openAiClient({ apiKey, baseUrl, isPlatforms: true }), apiKey);
  }
  if (connection?.workflowAppId !== 'openai') {
    throw new NoProvider(`The connection ${aiConnectionId} is not one of app openai of this workspace`);
  }
  const { sealed, keyId } = connection;
  const credentials = vault.open({ workspaceId, connectionId: aiConnectionId }, { sealed, keyId });
  return providerOf(openAiClient, credentials, workspaceId);
}

export async function providerOf(
  openAiClient: OpenAiClient,
  credentials: Record<string, string>,
  workspaceId: string | undefined,
): Promise<ChosenProvider> {
  const { apiKey = '', baseUrl } = credentials;
  return withId(await openAiClient({ apiKey, baseUrl: baseUrl || undefined, workspaceId }), apiKey);
}

function withId(client: OpenAI, apiKey: string): ChosenProvider {
  const address = client.baseURL.replace(/\/+$/, '').toLowerCase();
  return { client, id: createHash('sha256').update(address).digest('hex').slice(0, 16), secrets: [apiKey] };
}
