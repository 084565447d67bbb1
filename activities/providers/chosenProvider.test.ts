import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredentialVault } from '../../engine/secrets/credentialVault.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../../test/setup/database/ownDatabase.ts';
import { loopback } from '../../test/setup/providers/loopback.ts';
import { chosenProvider, NoProvider, providerOf } from './chosenProvider.ts';
import { buildOpenAiClient } from './openAiClient.ts';

const WORKSPACE = '01935b1e-7c00-7c4f-8d6a-000000000001';
const OTHER = '01935b1e-7c00-7c4f-8d6a-000000000002';
const [OPENAI, HTTP] = ['01935b1e-7c00-7c4f-8d6a-000000000003', '01935b1e-7c00-7c4f-8d6a-000000000004'] as const;
const vault = createCredentialVault(`a:${Buffer.alloc(32, 1).toString('base64')}`);
const openAiClient = buildOpenAiClient({ allowedPrivateHosts: [], maxAnswerBytes: 1_000 });

let own: MigratedDatabase;
beforeAll(async () => {
  own = await startMigratedDatabase();
  const { pool } = own.database;
  for (const id of [WORKSPACE, OTHER]) await pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [id]);
  const credentials = { apiKey: 'sk-own', baseUrl: 'https://models.example/v1' };
  for (const [id, appId] of [
    [OPENAI, 'openai'],
    [HTTP, 'http'],
  ] as const) {
    const { sealed, keyId } = vault.seal({ workspaceId: WORKSPACE, connectionId: id }, credentials);
    await pool.query(
      `INSERT INTO connections (id, workspace_id, name, workflow_app_id, connection_type, credentials, key_id)
       VALUES ($1, $2, 'c', $3, 'apiKey', $4, $5)`,
      [id, WORKSPACE, appId, sealed, keyId],
    );
  }
}, 90_000);
afterAll(() => own?.dispose());

const choose = (
  chosen: { workspaceId: string; aiConnectionId?: string },
  OPENAI_API_KEY: string | undefined = 'sk-all',
) =>
  chosenProvider(
    {
      config: { OPENAI_API_KEY, OPENAI_BASE_URL: 'https://default.example/v1' },
      database: own.database,
      vault,
      openAiClient,
    },
    chosen,
  );

test("the platform's own if none is named", async () => {
  const { client, secrets } = await choose({ workspaceId: WORKSPACE });
  expect([client.apiKey, client.baseURL, secrets]).toEqual(['sk-all', 'https://default.example/v1', ['sk-all']]);
});

test("the platform's own private address is called for the platform alone", async () => {
  const { url } = await loopback((_call, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
  });
  const config = { OPENAI_API_KEY: 'sk-all', OPENAI_BASE_URL: `${url}/v1` };
  const services = { config, database: own.database, vault, openAiClient };
  const platforms = await chosenProvider(services, { workspaceId: WORKSPACE });
  expect((await platforms.client.models.list()).data).toEqual([]);
  const theirs = await providerOf(openAiClient, { apiKey: 'k', baseUrl: `${url}/v1` }, WORKSPACE);
  await expect(theirs.client.models.list()).rejects.toThrow();
});

test('the connection that is named', async () => {
  const { client, secrets } = await choose({ workspaceId: WORKSPACE, aiConnectionId: OPENAI });
  expect([client.apiKey, client.baseURL, secrets]).toEqual(['sk-own', 'https://models.example/v1', ['sk-own']]);
});

test.each([
  ['of another workspace', { workspaceId: OTHER, aiConnectionId: OPENAI }],
  ['of another app', { workspaceId: WORKSPACE, aiConnectionId: HTTP }],
  ['that does not exist', { workspaceId: WORKSPACE, aiConnectionId: OTHER }],
  ['that is no id', { workspaceId: WORKSPACE, aiConnectionId: 'x' }],
])('a connection %s is none', async (_, chosen) => {
  await expect(choose(chosen)).rejects.toThrow(NoProvider);
});

test('without a key the platform has none', async () => {
  const services = { config: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: 'https://x.test' }, vault, openAiClient };
  const chosen = chosenProvider({ ...services, database: own.database }, { workspaceId: WORKSPACE });
  await expect(chosen).rejects.toThrow(/set OPENAI_API_KEY/);
});
