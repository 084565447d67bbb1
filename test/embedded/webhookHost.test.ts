import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../config.ts';
import { api } from '../setup/api/client.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const PUBLIC_URL = 'https://api.test';
const WEBHOOK_URL = 'https://hooks.test';

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi({ PUBLIC_URL, WEBHOOK_URL, CONSOLE: 'on' });
});
afterAll(() => own?.dispose());

async function at(host: string, path: string, method = 'GET') {
  const { hostname, port } = new URL(own.url);
  const request = send({ hostname, port, path, method, headers: { host, authorization: `Bearer ${own.apiKey}` } });
  request.end();
  const [response] = await once(request, 'response');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode as number, text };
}

const WEBHOOK = `/api/webhooks/workflows/${randomUUID()}`;

test.each(['hooks.test', 'HOOKS.test:443'])('webhooks are served at %s, and nothing else', async (host) => {
  // A start needs the engine, which is missing; an error of the route suffices.
  expect((await at(host, WEBHOOK, 'DELETE')).status).toBe(405);
  const paths = [
    '/api/projects',
    '/API/projects',
    '/console/',
    '/console',
    '/',
    '/docs',
    '/openapi.json',
    '/connections',
  ];
  for (const path of [...paths, `/api/webhooks/executions/${randomUUID()}/nodes/ask/input`]) {
    expect([path, await at(host, path)]).toEqual([path, { status: 404, text: expect.stringContaining('NOT_FOUND') }]);
  }
});

test.each(['api.test', 'elsewhere.test'])('no webhook is served at %s, and everything else', async (host) => {
  for (const path of [WEBHOOK, WEBHOOK.toUpperCase().replace('WORKFLOWS', 'workflows')]) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const { status, text } = await at(host, path, method);
      expect([status, text]).toEqual([404, expect.stringContaining('Webhooks have their own host')]);
    }
  }
  expect((await at(host, '/api/projects')).status).toBe(200);
  expect((await at(host, '/console/')).text).toContain(`content="${WEBHOOK_URL}"`);
  expect((await at(host, '/docs/')).status).toBe(200);
});

test('the features name the address of webhooks', async () => {
  const { body } = await api(own.url, own.apiKey)('GET', '/api/discovery/enabled-features');
  expect(body).toMatchObject({
    webhookUrl: `${WEBHOOK_URL}/api/webhooks/workflows/`,
    consoleUrl: `${PUBLIC_URL}/console/`,
  });
});

test('a workflow may answer with a script then, and with no other header that is refused', async () => {
  const validate = async (headers: object) => {
    const node = { id: 'say', type: 'respond', inputs: { headers, body: 'x' } };
    const body = {
      slug: 'answers',
      name: 'Answers',
      trigger: { type: 'webhook', config: {} },
      nodes: [node],
      edges: [],
    };
    return (await api(own.url, own.apiKey)('POST', '/api/workflows/validate', { body })).body.problems;
  };
  expect(await validate({ 'content-type': 'text/javascript' })).toEqual([]);
  expect(await validate({ 'set-cookie': 'a=b' })).toHaveLength(1);
});

test('the hosts of webhooks and pages must differ', () => {
  const base = { TOKEN_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
  const read = (more: object) => () => readConfig({ ...base, DATABASE_URL: 'postgres://x', ...more });
  expect(read({ WEBHOOK_URL })).toThrow('PUBLIC_URL: required with WEBHOOK_URL');
  expect(read({ WEBHOOK_URL, PUBLIC_URL: 'http://hooks.test:443' })).not.toThrow();
  expect(read({ WEBHOOK_URL, PUBLIC_URL: WEBHOOK_URL })).toThrow('WEBHOOK_URL: expected a host other than');
  expect(read({ WEBHOOK_URL, PUBLIC_URL, CLIENT_URL: `${WEBHOOK_URL}/app` })).toThrow(
    'WEBHOOK_URL: expected a host other',
  );
  expect(read({ WEBHOOK_URL: `${WEBHOOK_URL}/x`, PUBLIC_URL })).toThrow('expected a URL without a path');
});
