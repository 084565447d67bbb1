import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../config.ts';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

let own: OwnApi;

beforeAll(async () => {
  own = await startOwnApi();
});
afterAll(() => own?.dispose());

const OFF = { REQUESTS_PER_MINUTE: '0', ADDRESS_REQUESTS_PER_MINUTE: '0', WEBHOOK_REQUESTS_PER_MINUTE: '0' };

/** One more process of the API, with these settings. */
async function process(settings: Record<string, string>) {
  const config = { ...own.services.config, ...ratesOf({ ...OFF, ...settings }) };
  const url = await own.serve(buildApp({ ...own.services, config }));
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url}${path}`, { method, headers });
}

function ratesOf(settings: Record<string, string>) {
  const { REQUESTS_PER_MINUTE, ADDRESS_REQUESTS_PER_MINUTE, WEBHOOK_REQUESTS_PER_MINUTE, API_PROCESSES } =
    readConfig(settings);
  return { REQUESTS_PER_MINUTE, ADDRESS_REQUESTS_PER_MINUTE, WEBHOOK_REQUESTS_PER_MINUTE, API_PROCESSES };
}

async function otherKey(): Promise<string> {
  const { key, hash, prefix } = makeApiKey();
  const row = { id: v7(), name: 'other', hash, prefix, permissions: PERMISSIONS, expiresAt: null };
  await insertApiKey(own.database, own.workspaceId, row);
  return key;
}

const from = (address: string) => ({ 'x-forwarded-for': address });

async function statuses(times: number, ask: () => Promise<Response>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, ask));
  return answers.map(({ status }) => status).sort();
}

test('each key has its own requests per minute; answers show the remaining ones', async () => {
  const ask = await process({ REQUESTS_PER_MINUTE: '3' });
  const [mine, other] = [{ 'x-api-key': own.apiKey }, { 'x-api-key': await otherKey() }];
  const first = await ask('/api/projects', mine);
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([200, '"caller";q=3;w=60']);
  expect(first.headers.get('ratelimit')).toMatch(/^"caller";r=2;t=([1-9]|[1-5]\d|60)$/);
  expect(await statuses(4, () => ask('/api/projects', mine))).toEqual([200, 200, 429, 429]);
  const refused = await ask('/api/projects', mine);
  expect(refused.headers.get('ratelimit')).toMatch(/^"caller";r=0;t=/);
  expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(await refused.json()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect((await ask('/api/projects', other)).status).toBe(200);
});

test('an address has its own, with any credential and without; of IPv6 the /64 counts', async () => {
  const ask = await process({ ADDRESS_REQUESTS_PER_MINUTE: '2', REQUESTS_PER_MINUTE: '9' });
  const key = { 'x-api-key': own.apiKey };
  const there = await ask('/api/projects', { ...key, ...from('203.0.113.7') });
  expect(there.headers.get('ratelimit-policy')).toBe('"address";q=2;w=60, "caller";q=9;w=60');
  expect((await ask('/api/projects', from('203.0.113.7'))).status).toBe(401);
  expect((await ask('/api/projects', { ...key, ...from('203.0.113.7') })).status).toBe(429);
  expect((await ask('/api/none', from('203.0.113.7'))).status).toBe(429);
  expect((await ask('/api/projects', { ...key, ...from('203.0.113.8') })).status).toBe(200);
  for (const host of ['1', '2']) expect((await ask('/api/none', from(`2001:db8::${host}`))).status).toBe(404);
  expect((await ask('/api/none', from('2001:db8::3'))).status).toBe(429);
  expect((await ask('/api/none', from('2001:db8:0:1::3'))).status).toBe(404);
  for (const path of ['/healthz', '/docs']) expect((await ask(path, from('203.0.113.7'))).status).toBeLessThan(400);
});

test('an untrusted proxy is counted by its own address, not by the header', async () => {
  const config = {
    ...own.services.config,
    ...ratesOf({ ...OFF, ADDRESS_REQUESTS_PER_MINUTE: '2' }),
    TRUST_PROXY: 'false',
  };
  const url = await own.serve(buildApp({ ...own.services, config }));
  const ask = (address: string) => fetch(`${url}/api/none`, { headers: from(address) });
  expect([(await ask('203.0.113.1')).status, (await ask('203.0.113.2')).status]).toEqual([404, 404]);
  expect((await ask('203.0.113.3')).status).toBe(429);
});

test('a webhook has its own, from wherever it is called', async () => {
  const ask = await process({ WEBHOOK_REQUESTS_PER_MINUTE: '1' });
  // An unknown path: the request is counted before its answer.
  const call = (id: string) => ask(`/api/webhooks/workflows/${id}`, { 'content-type': 'text/plain' }, 'POST');
  const [one, other] = ['not-a-workflow', 'another'];
  expect([(await call(one)).status, (await call(one)).status, (await call(other)).status]).toEqual([404, 429, 404]);
});

test('several processes let their shares through, and together no more than the limit', async () => {
  const two = { REQUESTS_PER_MINUTE: '5', API_PROCESSES: '2' };
  const [a, b] = [await process(two), await process(two)];
  const mine = { 'x-api-key': own.apiKey };
  expect(await statuses(4, () => a('/api/projects', mine))).toEqual([200, 200, 429, 429]);
  expect(await statuses(4, () => b('/api/projects', mine))).toEqual([200, 200, 429, 429]);
});

test('0 counts nothing and adds no headers; the default does not limit a polling client', async () => {
  const off = await process({});
  const answer = await off('/api/projects', { 'x-api-key': own.apiKey });
  expect([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')]).toEqual([null, null]);
  const byDefault = ratesOf({});
  // A hundred each second, from ten programs of one address.
  expect(byDefault.REQUESTS_PER_MINUTE).toBeGreaterThanOrEqual(6_000);
  expect(byDefault.ADDRESS_REQUESTS_PER_MINUTE).toBeGreaterThanOrEqual(60_000);
});
