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
  /** Undefined: the platform's own. */
  aiConnectionId?: string | undefined;
}

export interface ChosenProvider {
  client: OpenAI;
  /** Names the provider by its address, which it does not show: messages keep for whom something in them is. */
  id: string;
  /** Secrets to mask in messages, for `providerFailure`. */
  secrets: readonly string[];
}

/** There is no provider to ask; the message says what to do. Another try ends the same way. */
export class NoProvider extends Error {
  readonly code = 'PROVIDER_MISSING';
}

/**
 * The provider of an agent or a knowledge base: the connection that it names, otherwise the platform's own. Throws
 * NoProvider, and errors of the database and the vault.
 */
export async function chosenProvider(services: ProviderServices, named: NamedProvider): Promise<ChosenProvider> {
  const { workspaceId, aiConnectionId } = named;
  const isId = aiConnectionId !== undefined && validate(aiConnectionId);
  return openProvider(
    services,
    named,
    isId ? await findSealedConnection(services.database, workspaceId, aiConnectionId) : undefined,
  );
}

/** As chosenProvider, with the connection of that id as it was found. */
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

/** By the credentials of a connection of app `openai`. */
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
