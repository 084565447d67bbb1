import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../config.ts';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { api } from '../setup/api/client.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';
import { logIn } from '../setup/workspace/people.ts';

describe('limits of the server', () => {
  // Tests each setting that limits what a caller, or a stranger, can use of a process.

  const LIMITS = {
    HEADERS_TIMEOUT_MS: '300',
    BODY_TIMEOUT_MS: '400',
    BULK_BODY_TIMEOUT_MS: '1200',
    MAX_CONNECTIONS: '30',
  };

  let own: OwnApi;
  let looks = 0;
  beforeAll(async () => {
    own = await startOwnApi(LIMITS);
    const ready = async () => {
      looks += 1;
      return { engine: true, worker: true };
    };
    Object.assign(own.services, { engine: { ready } });
  });
  afterAll(() => own?.dispose());

  async function opened(): Promise<Socket> {
    const { hostname, port } = new URL(own.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Sends `text`, and returns the server's response until it closes the connection. */
  async function saidTo(text: string): Promise<{ status: number; code: string; ms: number }> {
    const socket = await opened();
    const begin = performance.now();
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
    return { status, code: JSON.parse(body).code, ms: performance.now() - begin };
  }

  const half = (path: string) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${own.apiKey}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"half":`;

  test('half a header line is answered with 408, and the connection ends', async () => {
    const { status, code } = await saidTo('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half');
    expect([status, code]).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  test('a connection that was opened ahead is not late: its first request is answered', async () => {
    const ahead = await opened();
    // These two are sent after `ahead`: once they time out, `ahead` has been checked, too.
    await saidTo('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half');
    await saidTo('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half');
    ahead.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of ahead) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('half a body is answered with 408, of a stranger and of a caller; one of bulk has more time', async () => {
    const login = await saidTo(half('/api/auth/login'));
    expect([login.status, login.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    const project = await saidTo(half('/api/projects'));
    expect([project.status, project.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    const bulk = await saidTo(half('/api/objects/import'));
    expect([bulk.status, bulk.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    expect(bulk.ms).toBeGreaterThan(1_100);
  });

  test('reads a body that arrived while the process was blocked', async () => {
    const body = JSON.stringify({ name: 'still' });
    const socket = await opened();
    socket.write(half('/api/projects').replace('1000000', `${body.length}`).replace('{"half":', '{'));
    // Until the server waits for the body, for which it has 400 ms.
    await new Promise((go) => setTimeout(go, 200));
    // The event loop comes to timers next.
    setImmediate(() => {
      socket.write(body.slice(1));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    });
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('more connections than MAX_CONNECTIONS are closed at once, and places are free again', async () => {
    const sockets = await Promise.all(Array.from({ length: 30 }, opened));
    const over = await opened();
    await once(over, 'close');
    for (const socket of sockets) socket.destroy();
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    const answers = async () => (await fetch(`${own.url}/healthz`)).status;
    // The server notices the closed connections a moment later.
    for (let tries = 0; tries < 100 && (await answers().catch(() => 0)) !== 200; tries += 1);
    expect(await answers()).toBe(200);
  });

  test('two Host headers are refused, everywhere', async () => {
    for (const path of ['/api/projects', '/healthz', '/docs']) {
      const { status, code } = await saidTo(
        `GET ${path} HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\nx-api-key: ${own.apiKey}\r\n\r\n`,
      );
      expect([path, status, code]).toEqual([path, 400, 'VALIDATION_FAILED']);
    }
  });

  test('/readyz looks once a second, however many ask', async () => {
    const before = looks;
    await Promise.all(Array.from({ length: 25 }, () => fetch(`${own.url}/readyz`)));
    expect(looks - before).toBeLessThanOrEqual(2);
    expect((await api(own.url)('GET', '/readyz')).body).toMatchObject({ ready: true });
  });
});

describe('rates of requests', () => {
  let own: OwnApi;

  beforeAll(async () => {
    own = await startOwnApi();
  });
  afterAll(() => own?.dispose());

  const OFF = { REQUESTS_PER_MINUTE: '0', ADDRESS_REQUESTS_PER_MINUTE: '0', WEBHOOK_REQUESTS_PER_MINUTE: '0' };

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
    // An unknown path still counts: requests are counted before they are answered.
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
    // A hundred per second, from ten programs at one address.
    expect(byDefault.REQUESTS_PER_MINUTE).toBeGreaterThanOrEqual(6_000);
    expect(byDefault.ADDRESS_REQUESTS_PER_MINUTE).toBeGreaterThanOrEqual(60_000);
  });
});

describe('idle sessions', () => {
  const CREDENTIALS = { email: 'w@example.com', password: 'a long password' };

  let own: OwnApi;
  beforeAll(async () => {
    own = await startOwnApi({ SESSION_IDLE_TIMEOUT: '30m' });
  });
  afterAll(() => own?.dispose());

  const refresh = (refresh_token: string, url = own.url) =>
    api(url)('POST', '/api/auth/refresh-token', { body: { refresh_token } });
  /** Simulates a session that was unused for this time. */
  const away = (minutes: number) =>
    own.database.$executeRaw`UPDATE sessions SET refreshed_at = refreshed_at - ${minutes} * interval '1 minute'`;

  test('a session that was used within the time continues; an unused one has ended', async () => {
    const { refresh_token } = await logIn(own, CREDENTIALS);
    // Each use restarts the time; the sum is longer than the limit.
    for (const minutes of [29, 29, 29]) {
      await away(minutes);
      expect((await refresh(refresh_token)).status).toBe(200);
    }
    const { access_token } = (await refresh(refresh_token)).body;
    const listed = async () => (await api(own.url, access_token)('GET', '/api/users/me/sessions')).body.length;
    const before = await listed();
    await away(31);
    expect([before, await listed()]).toEqual([1, 0]);
    expect(await refresh(refresh_token)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    // The session does not come back, but a new login works.
    expect((await refresh(refresh_token)).status).toBe(401);
    expect((await refresh((await logIn(own, CREDENTIALS)).refresh_token)).status).toBe(200);
  });

  test('without the setting a session lives as long as its refresh token', async () => {
    const { SESSION_IDLE_TIMEOUT: _, ...config } = own.services.config;
    const url = await own.serve(buildApp({ ...own.services, config: config as typeof own.services.config }));
    const { refresh_token } = await logIn({ url }, CREDENTIALS);
    await away(60 * 24 * 20);
    expect((await refresh(refresh_token, url)).status).toBe(200);
  });
});
