import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import { shownSigningSecret, signedHeaders } from '../../../domain/event/signedMessage.ts';
import { loopback, type SeenCall } from '../../../test/setup/providers/loopback.ts';
import type { ActionCall } from '../executor.ts';
import { buildHttpApp } from './httpApp.ts';

const SECRET = shownSigningSecret(Buffer.alloc(32, 7));
const WORKSPACE = '0193f000-0000-7000-8000-000000000001';
const json = { 'content-type': 'application/json' };

async function call(url: string, more: Partial<ActionCall> = {}, allowed = ['127.0.0.1']) {
  const settings = { allowedPrivateHosts: allowed, maxResponseBytes: 10_000 };
  const execute = buildHttpApp(settings, {
    readSecret: async (workspaceId, slug) => (workspaceId === WORKSPACE && slug === 'billing' ? SECRET : undefined),
    lendCredentials: ({ workspaceId, connectionId }, use) => use(`token of ${workspaceId} ${connectionId}`),
  });
  const runs = { on: 'http', baseUrl: `${url}/actions/` };
  const app = { appId: 'billing', custom: { runs, digest: '' } } as unknown as CustomApp;
  return execute(app, { actionId: 'invoices/create' } as ActionManifest, {
    ...{ inputs: { amount: 5 }, signal: new AbortController().signal, attempt: 2, idempotencyKey: 'key-1' },
    origin: { workspaceId: WORKSPACE, executionId: 'e-1', stepId: 's-1' },
    ...more,
  });
}

function expectSigned({ headers, body }: SeenCall) {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
  expect(headers).toMatchObject(signedHeaders(SECRET, { id: 'key-1', sentAt, body }));
  expect(Math.abs(Date.now() - sentAt.getTime())).toBeLessThan(60_000);
}

describe('a call', () => {
  it('is signed, has the inputs and where it comes from, and answers an output', async () => {
    const { url, calls } = await loopback((_, response) =>
      response.writeHead(200, json).end('{"output":{"id":"i-1"}}'),
    );
    expect(await call(url)).toEqual({ ok: true, output: { id: 'i-1' } });
    expect(calls).toMatchObject([
      { method: 'POST', url: '/actions/invoices%2Fcreate', headers: { 'idempotency-key': 'key-1', ...json } },
    ]);
    expectSigned(calls[0] as SeenCall);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      inputs: { amount: 5 },
      call: { executionId: 'e-1', stepId: 's-1', attempt: 2, idempotencyKey: 'key-1' },
    });
  });

  it('has a token for the credentials of its connection, and masks them in the answer', async () => {
    const { url, calls } = await loopback((_, response) => response.end('{"output":"token-secret"}'));
    const credentials = { accessToken: 'token-secret', refreshToken: 'r', clientId: 'c', clientSecret: 's' };
    const result = await call(url, { connection: { id: 'c-1', type: 'login', credentials } });
    expect(JSON.parse(calls[0]?.body ?? '').call.connection).toBe(`token of ${WORKSPACE} c-1`);
    expect(calls[0]?.body).not.toContain('token-secret');
    expect(JSON.stringify(result)).not.toContain('token-secret');
  });

  it.each<[number, Record<string, string>, object, object]>([
    [
      422,
      {},
      { code: 'NO_CREDIT', detail: 'No credit.', details: { limit: 5 } },
      { code: 'NO_CREDIT', message: 'No credit.', retryable: false, details: { limit: 5, status: 422 } },
    ],
    [409, {}, { code: 'BUSY', title: 'Busy', retryAfterMs: 700 }, { code: 'BUSY', retryable: true, retryAfterMs: 700 }],
    [503, { 'retry-after': '2' }, {}, { code: 'HTTP_STATUS', retryable: true, retryAfterMs: 2_000 }],
    [500, {}, { code: 'not a code', retryable: false }, { code: 'HTTP_STATUS', retryable: false }],
    [302, { location: 'http://127.0.0.1:1/' }, {}, { code: 'HTTP_STATUS', retryable: false }],
    [200, {}, { other: 1 }, { code: 'HTTP_INVALID_RESPONSE', retryable: false }],
  ])('fails with %s %j %j', async (status, headers, body, failure) => {
    const { url } = await loopback((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)));
    expect(await call(url)).toMatchObject({ ok: false, failure });
  });

  it('fails if the app has no secret any longer', async () => {
    const { url, calls } = await loopback();
    const origin = { workspaceId: 'another', executionId: 'e' };
    expect(await call(url, { origin })).toMatchObject({ ok: false, failure: { code: 'APP_DELETED' } });
    expect(calls).toEqual([]);
  });

  it('reaches no private host', async () => {
    const result = await call('http://169.254.169.254', {}, []);
    expect(result).toMatchObject({ ok: false, failure: { code: 'HTTP_REFUSED_ADDRESS' } });
  });
});

describe('an accepted call', () => {
  const accept = (response: ServerResponse, location: string) =>
    response.writeHead(202, { location, 'retry-after': '0' }).end();

  it('is asked for, signed, until its answer is final', async () => {
    const { url, calls } = await loopback((_, response, index) => {
      if (index === 0) accept(response, '/jobs/1');
      else if (index === 1) response.writeHead(202, { 'retry-after': '0' }).end();
      else if (index === 2) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.writeHead(200, json).end('{"output":1}');
    });
    expect(await call(url)).toEqual({ ok: true, output: 1 });
    expect(calls.map(({ method, url: at }) => `${method} ${at}`)).toEqual([
      'POST /actions/invoices%2Fcreate',
      ...Array.from({ length: 3 }, () => 'GET /jobs/1'),
    ]);
    for (const one of calls) expectSigned(one);
  });

  it('ends with a failure of the service at once', async () => {
    const { url, calls } = await loopback((_, response, index) =>
      index === 0 ? accept(response, 'jobs/1') : response.writeHead(500).end('{"code":"PRINTER_JAM"}'),
    );
    expect(await call(url)).toMatchObject({ ok: false, failure: { code: 'PRINTER_JAM', retryable: true } });
    expect(calls[1]?.url).toBe('/actions/jobs/1');
  });

  it.each(['http://127.0.0.1:1/jobs', 'ftp://127.0.0.1/jobs', '//ann:pw@127.0.0.1/jobs'])(
    'is not asked for elsewhere: %s',
    async (location) => {
      const { url, calls } = await loopback((_, response) => accept(response, location));
      expect(await call(url)).toMatchObject({ ok: false, failure: { code: 'HTTP_INVALID_RESPONSE' } });
      expect(calls).toHaveLength(1);
    },
  );

  it('ends with the call', async () => {
    const stop = new AbortController();
    const { url } = await loopback((_, response, index) => {
      accept(response, '/jobs/1');
      if (index === 2) stop.abort(new Error('stopped'));
    });
    await expect(call(url, { signal: stop.signal })).rejects.toThrow();
  });
});
