import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import { MAX_BYTES, startTestServer, type TestServer } from './badServer.ts';

let server: TestServer;
const call: TestServer['call'] = (...given) => server.call(...given);
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
});

describe('the sent request', () => {
  it('has method, query, headers, body and credentials', async () => {
    const connection = { type: 'apiKey', credentials: { apiKey: 'k', header: 'X-API-Key', allowedHosts: 'api.test' } };
    const inputs = { method: 'PUT', query: { q: 'a b' }, headers: { 'X-Trace': 7 }, body: { n: 1 } };
    expect(await call('/echo?x=1', inputs, { connection })).toMatchObject({
      ok: true,
      output: { status: 201, body: {} },
    });
    expect(server.seen).toEqual([
      {
        method: 'PUT',
        url: '/echo?x=1&q=a+b',
        body: '{"n":1}',
        headers: expect.objectContaining({
          host: `api.test:${server.port}`,
          'x-trace': '7',
          'x-api-key': 'k',
          'content-type': 'application/json',
          'content-length': '7',
        }),
      },
    ]);
  });

  it('has the idempotency key of the step', async () => {
    await call('/echo', { method: 'POST' }, { idempotencyKey: 'execution/step' });
    expect(server.seen[0]?.headers['idempotency-key']).toBe('execution/step');
  });

  it.each<[JsonObject, RegExp]>([
    [{ method: 'TRACE' }, /^method: expected one of GET/],
    [{ timeoutMs: 0 }, /^timeoutMs: expected at least 1$/],
    [{ headers: { Connection: 'close' } }, /^headers\.Connection/],
    [{ url: 'nonsense' }, /^url: /],
  ])('is refused for %j', async (inputs, message) => {
    expect(await call('/json', inputs)).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: expect.stringMatching(message), retryable: false },
    });
    expect(server.seen).toEqual([]);
  });
});

describe('the received answer', () => {
  it.each<[string, JsonObject, unknown]>([
    ['/json', {}, { a: [1] }],
    ['/json', { responseType: 'text' }, '{"a":[1]}'],
    ['/json', { responseType: 'base64' }, 'eyJhIjpbMV19'],
    ['/text', {}, 'grüezi'],
    ['/latin1', {}, 'grüezi'],
    ['/image', {}, 'iQD/'],
    ['/untyped', {}, 'plain'],
    ['/bytes', {}, '//4='],
    ['/empty', {}, null],
    ['/empty', { responseType: 'text' }, ''],
    ['/empty-json', {}, null],
    ['/json', { method: 'HEAD' }, null],
    ['/gzip', {}, { z: 'gzip' }],
    ['/gzip', { method: 'HEAD' }, null],
    ['/deflate', {}, { z: 'deflate' }],
    ['/br', {}, { z: 'br' }],
    ['/twice', {}, { z: 2 }],
    ['/empty-gzip', {}, null],
    ['/full', {}, 'x'.repeat(MAX_BYTES)],
  ])('%s %j', async (path, inputs, body) => {
    const result = await call(path, inputs);
    expect(result).toMatchObject({ ok: true });
    expect((result as unknown as { output: { body: unknown } }).output.body).toEqual(body);
  });

  it('has status, lower-case headers and a duration', async () => {
    expect(await call('/cookies')).toEqual({
      ok: true,
      output: {
        status: 200,
        headers: expect.objectContaining({ 'set-cookie': ['a=1; Expires=Wed, 01 Jan 2031', 'b=2'], 'x-list': '1, 2' }),
        body: 'x',
        durationMs: expect.any(Number),
      },
    });
  });

  it.each<[string, JsonObject]>([
    ['/broken', {}],
    ['/text', { responseType: 'json' }],
    ['/charset', {}],
    ['/not-gzip', {}],
    ['/not-br', {}],
    ['/cut-gzip', {}],
    ['/unknown-encoding', {}],
    ['/thrice', {}],
    ['/hints-endless', {}],
  ])('%s %j is no valid answer', async (path, inputs) => {
    const result = await call(path, inputs);
    expect(result).toMatchObject({ ok: false, failure: { code: 'HTTP_INVALID_RESPONSE', retryable: false } });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it.each<[string, JsonObject]>([
    ['/big', {}],
    ['/endless', {}],
    ['/bomb', {}],
    ['/json', { maxResponseBytes: 8 }],
  ])('%s %j is too large', async (path, inputs) => {
    const before = process.memoryUsage().rss;
    expect(await call(path, inputs)).toMatchObject({ failure: { code: 'HTTP_RESPONSE_TOO_LARGE', retryable: false } });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('follows a few early hints', async () => {
    expect(await call('/hints-few')).toMatchObject({ ok: true, output: { status: 200, body: { a: [1] } } });
  });

  it("cannot be allowed to exceed the platform's limit", async () => {
    expect(await call('/big', { maxResponseBytes: 10 * MAX_BYTES })).toMatchObject({
      failure: { code: 'HTTP_RESPONSE_TOO_LARGE' },
    });
  });
});

describe('a status of 400 and more', () => {
  it.each([
    [400, false],
    [401, false],
    [404, false],
    [409, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])('%i fails, retryable: %s', async (status, retryable) => {
    const result = await call(`/status/${status}?token=s3cret`);
    expect(result).toMatchObject({ ok: false, failure: { code: 'HTTP_STATUS', retryable } });
    const { message } = (result as { failure: { message: string } }).failure;
    expect(message).toMatch(new RegExp(`^GET http://api\\.test:${server.port} answered ${status} [A-Z]`));
    expect(message).not.toContain('s3cret');
  });

  it('contains the path and the beginning of the text of the response', async () => {
    const details = async (path: string) => {
      const result = await call(path);
      return (result as { failure: { details: JsonObject } }).failure.details;
    };
    const url = `http://api.test:${server.port}/refused`;
    expect(await details('/refused/json?token=s3cret')).toEqual({
      url: `${url}/json`,
      status: 422,
      body: '{"error":"amount must be positive"}',
    });
    const { body } = await details('/refused/long');
    expect([String(body).length, String(body).slice(0, 3)]).toEqual([8_192, 'xxx']);
    expect(await details('/refused/bytes')).toEqual({ url: `${url}/bytes`, status: 422 });
    expect(await details('/refused/broken')).toEqual({ url: `${url}/broken`, status: 422 });
  });

  it.each([
    [503, '7', 7_000],
    [429, '0', 0],
    [429, '99999999', 86_400_000],
    [503, 'Wed, 01 Jan 2020 00:00:00 GMT', 0],
    [503, 'soon', undefined],
    [404, '7', undefined],
  ])('%i with Retry-After %s waits %s ms', async (status, retryAfter, wait) => {
    const result = await call(`/status/${status}`, { query: { 'retry-after': retryAfter } });
    expect((result as { failure: { retryAfterMs?: number } }).failure.retryAfterMs).toBe(wait);
  });

  it('is an output if the author chooses so', async () => {
    expect(await call('/status/500', { failOnStatus: false })).toMatchObject({
      ok: true,
      output: { status: 500, body: 's3cret' },
    });
  });
});

describe('time and connections', () => {
  it.each([['/silent'], ['/slow-body']])('%s times out, all in all', async (path) => {
    const startedAt = performance.now();
    expect(await call(`${path}?q=s3cret`, { timeoutMs: 150 })).toEqual({
      ok: false,
      failure: {
        code: 'HTTP_TIMEOUT',
        message: `GET http://api.test:${server.port} did not finish within 150 ms.`,
        retryable: true,
      },
    });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it.each([['/silent'], ['/slow-body']])('%s ends at once, with the reason, when it is aborted', async (path) => {
    const controller = new AbortController();
    const reason = new Error('cancelled by its owner');
    const running = call(path, {}, { signal: controller.signal });
    const poll = setInterval(() => {
      if (server.seen.length > 0) controller.abort(reason);
    }, 5);
    await expect(running).rejects.toBe(reason);
    clearInterval(poll);
  });

  it.each([['/hang-up'], ['/cut'], ['http://nowhere.invalid/?q=s3cret']])('%s is a failed connection', async (path) => {
    const result = await call(path);
    expect(result).toMatchObject({ failure: { code: 'HTTP_CONNECTION_FAILED', retryable: true } });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it('is a failed connection if nothing listens', async () => {
    const taken = createTcpServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const free = (taken.address() as AddressInfo).port;
    await new Promise((resolve) => taken.close(resolve));
    expect(await call(`http://other.test:${free}/`)).toMatchObject({
      failure: { code: 'HTTP_CONNECTION_FAILED', message: expect.stringContaining('ECONNREFUSED'), retryable: true },
    });
  });

  it('is an invalid response if the other side does not use HTTP', async () => {
    const chatty = createTcpServer((socket) => socket.resume().end('220 mail.test ESMTP\r\n'));
    await new Promise<void>((resolve) => chatty.listen(0, '127.0.0.1', resolve));
    const { port: chattyPort } = chatty.address() as AddressInfo;
    expect(await call(`http://other.test:${chattyPort}/`)).toMatchObject({
      failure: { code: 'HTTP_INVALID_RESPONSE', retryable: false },
    });
    await new Promise((resolve) => chatty.close(resolve));
  });
});
