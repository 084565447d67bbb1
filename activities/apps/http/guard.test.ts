import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runExecutor } from '../runExecutor.ts';
import { MAX_BYTES, startTestServer, type TestServer } from './badServer.ts';
import { buildRequest } from './request.ts';

const REFUSED = { ok: false, failure: { code: 'HTTP_REFUSED_ADDRESS', retryable: false } };

let server: TestServer;
const call: TestServer['call'] = (...given) => server.call(...given);
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
});

describe('redirects', () => {
  it('are followed five times', async () => {
    expect(await call('/five')).toMatchObject({ ok: true, output: { body: { a: [1] } } });
    expect(server.seen).toHaveLength(6);
  });

  it('are not followed a sixth time', async () => {
    expect(await call('/loop')).toMatchObject({ failure: { code: 'HTTP_TOO_MANY_REDIRECTS', retryable: false } });
    expect(server.seen).toHaveLength(6);
  });

  it('are an output if the author chooses so', async () => {
    expect(await call('/loop', { followRedirects: false })).toMatchObject({
      ok: true,
      output: { status: 302, headers: { location: '/loop' }, body: 'moved' },
    });
  });

  it('do not wait for a body that never ends', async () => {
    expect(await call('/endless-redirect')).toMatchObject({ ok: true, output: { body: { a: [1] } } });
  });

  it('keep or change the method', async () => {
    await call('/see-other', { method: 'POST', body: { a: 1 } });
    await call('/keep', { method: 'POST', body: { a: 1 } });
    expect(server.seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{"a":1}'],
      ['GET', ''],
      ['POST', '{"a":1}'],
      ['POST', '{"a":1}'],
    ]);
  });

  it.each([
    [{ type: 'apiKey', credentials: { allowedHosts: 'api.test', apiKey: 's3cret' } }],
    [{ type: 'apiKey', credentials: { allowedHosts: 'api.test', apiKey: 's3cret', header: 'X-Token' } }],
    [{ type: 'basic', credentials: { allowedHosts: 'api.test', username: 's3cret', password: 's3cret' } }],
  ])('carry no credentials to another origin: %j', async (connection) => {
    const headers = { Cookie: 'session=s3cret', 'X-Custom': 's3cret' };
    const text = `GET http://api.test:${server.port}`;
    expect(await call('/elsewhere', { headers }, { connection })).toMatchObject({
      ok: true,
      console: [
        {
          level: 'warn',
          text: `${text} redirects to http://other.test:${server.port}: the credential of the connection was not sent there.`,
        },
      ],
    });
    expect(server.seen.map(({ headers: { host } }) => host)).toEqual([
      `api.test:${server.port}`,
      `other.test:${server.port}`,
    ]);
    expect(JSON.stringify(server.seen[0])).toContain('s3cret');
    const second = JSON.stringify(server.seen[1]);
    expect(second).not.toContain('s3cret');
    expect(second).not.toContain(Buffer.from('s3cret:s3cret').toString('base64'));
  });

  it.each([['/to-private'], ['/to-loopback'], ['/to-number'], ['/to-ipv6'], ['/to-metadata']])(
    '%s is refused',
    async (path) => {
      expect(await call(path)).toMatchObject(REFUSED);
      expect(server.seen).toHaveLength(1);
    },
  );

  it('to a file is refused', async () => {
    expect(await call('/to-file')).toMatchObject({ failure: { code: 'HTTP_INVALID_RESPONSE', retryable: false } });
  });
});

describe('a connection', () => {
  const connection = { type: 'apiKey', credentials: { apiKey: 's3cret', allowedHosts: '["other.test"]' } };

  it('for another host fails the step, and nothing is sent', async () => {
    expect(await call('/json', {}, { connection })).toMatchObject({
      failure: { code: 'CONNECTION_HOST_NOT_ALLOWED', retryable: false, message: expect.stringContaining('api.test') },
    });
    expect(server.seen).toEqual([]);
  });

  it('is sent after a redirect on its origin, without a console line', async () => {
    const allowed = { ...connection, credentials: { apiKey: 's3cret', allowedHosts: 'api.test' } };
    const result = await call('/keep', { method: 'POST' }, { connection: allowed });
    expect(result).toMatchObject({ ok: true });
    expect(result.console).toBeUndefined();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer s3cret', 'Bearer s3cret']);
  });
});

describe('the guard', () => {
  it.each([
    ['http://private.test:PORT/json'],
    ['http://127.0.0.1:PORT/json'],
    ['http://127.1:PORT/json'],
    ['http://0x7f000001:PORT/json'],
    ['http://2130706433:PORT/json'],
    ['http://0:PORT/json'],
    ['http://[::1]:PORT/json'],
    ['http://[::ffff:127.0.0.1]:PORT/json'],
    ['http://[64:ff9b::7f00:1]:PORT/json'],
    ['http://169.254.169.254/latest/meta-data/'],
    ['https://10.0.0.1/'],
    ['http://api.test:1/json'],
  ])('refuses %s', async (url) => {
    const result = await call(url.replace('PORT', String(server.port)));
    expect(result).toMatchObject(REFUSED);
    expect((result as { failure: { message: string } }).failure.message).toMatch(/is not a public host/);
    expect(server.seen).toEqual([]);
  });

  it('rejects an internal name with the same message, whether or not it exists', async () => {
    const lookup: LookupFunction = (hostname, _options, callback) =>
      hostname.startsWith('postgres')
        ? callback(null, [{ address: '10.0.0.7', family: 4 }])
        : callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    const executor = buildRequest({ allowedPrivateHosts: [], maxResponseBytes: MAX_BYTES, lookup });
    const said = async (host: string) =>
      JSON.stringify(await runExecutor(executor, { url: `http://${host}/` })).replaceAll(host, 'HOST');
    expect(await said('nothing')).toBe(await said('postgres'));
    expect(await said('nothing.corp.internal')).toBe(await said('postgres.corp.internal'));
    expect(await said('postgres')).toContain('HTTP_ALLOWED_PRIVATE_HOSTS');
    expect(await said('nothing.example')).toContain('ENOTFOUND');
  });

  it('refuses localhost by the resolver of the system', async () => {
    const executor = buildRequest({ allowedPrivateHosts: [], maxResponseBytes: MAX_BYTES });
    expect(await runExecutor(executor, { url: `http://localhost:${server.port}/json` })).toMatchObject(REFUSED);
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:PORT/json'],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT/json'],
    ['LocalHost:PORT', 'http://localhost:PORT/json'],
  ])('allows the hosts that %s lists', async (host, url) => {
    const allowedPrivateHosts = [host.replace('PORT', String(server.port))];
    const executor = buildRequest({ allowedPrivateHosts, maxResponseBytes: MAX_BYTES });
    expect(await runExecutor(executor, { url: url.replace('PORT', String(server.port)) })).toMatchObject({ ok: true });
  });

  it('a private host of one workspace is no way for another, not by its open connection either', async () => {
    const allowedPrivateHosts = [`127.0.0.1:${server.port}@ours/http`];
    const executor = buildRequest({ allowedPrivateHosts, maxResponseBytes: MAX_BYTES });
    const by = (workspaceId: string) =>
      executor({
        inputs: { method: 'GET', url: `http://127.0.0.1:${server.port}/json` },
        origin: { workspaceId },
        idempotencyKey: 'k',
        attempt: 1,
        signal: new AbortController().signal,
      });
    expect(await by('ours')).toMatchObject({ ok: true });
    expect(await by('theirs')).toMatchObject(REFUSED);
    expect(await by('ours')).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(2);
  });

  it('ignores proxies of the environment', async () => {
    const before = process.env.http_proxy;
    process.env.http_proxy = 'http://127.0.0.1:9';
    try {
      expect(await call('/json')).toMatchObject({ ok: true });
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });

  it('refuses a name that has a private address among public ones', async () => {
    const mixed: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const executor = buildRequest({ allowedPrivateHosts: [], maxResponseBytes: MAX_BYTES, lookup: mixed });
    expect(await runExecutor(executor, { url: `http://mixed.com:${server.port}/json` })).toMatchObject(REFUSED);
    expect(server.seen).toEqual([]);
  });

  it('connects to the checked address, even if the name resolves differently later', async () => {
    let lookups = 0;
    // Returns the server's address first, then another loopback address.
    const rebinding: LookupFunction = (_hostname, _options, callback) => {
      lookups += 1;
      callback(null, [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    const allowedPrivateHosts = [`rebind.com:${server.port}`];
    const executor = buildRequest({ allowedPrivateHosts, maxResponseBytes: MAX_BYTES, lookup: rebinding });
    const inputs = { url: `http://rebind.com:${server.port}/json`, timeoutMs: 5_000 };
    expect(await runExecutor(executor, inputs)).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(1);
    expect(lookups).toBe(1);
  });
});
