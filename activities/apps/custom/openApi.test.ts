import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { importedApp } from '../../../domain/openapi/importedApp.ts';
import { loopback } from '../../../test/setup/providers/loopback.ts';
import type { ActionCall, CallConnection } from '../executor.ts';
import { buildOpenApi } from './openApi.ts';
import { OpenApiDocuments } from './openApiDocuments.ts';

const WORKSPACE = '0193f000-0000-7000-8000-000000000001';
const OUTPUT = { status: 200, headers: expect.anything(), durationMs: expect.any(Number) };

interface Called {
  inputs?: JsonObject;
  connection?: CallConnection;
  signal?: AbortSignal;
  allowed?: string[];
  lookup?: LookupFunction;
  maxResponseBytes?: number;
}

/** Imports the document, and calls the only operation as a step does. */
async function call(document: JsonObject, called: Called = {}) {
  const { inputs = {}, connection, signal = new AbortController().signal, lookup } = called;
  const imported = await importedApp(document);
  if ('problems' in imported) throw new Error(JSON.stringify(imported.problems));
  const digest = createHash('sha256').update(imported.document).digest('hex');
  const documents = new OpenApiDocuments(async (workspaceId, asked) =>
    workspaceId === WORKSPACE && asked === digest ? Buffer.from(imported.document) : undefined,
  );
  const { allowed = ['127.0.0.1'], maxResponseBytes = 10_000 } = called;
  const execute = buildOpenApi(
    { allowedPrivateHosts: allowed, maxResponseBytes, ...(lookup ? { lookup } : {}) },
    documents,
  );
  const app = {
    appId: 'shop',
    custom: { runs: { on: 'openapi', document: digest }, digest: '' },
  } as unknown as CustomApp;
  const given: ActionCall = {
    ...{ inputs, signal, attempt: 1, idempotencyKey: 'key-1' },
    origin: { workspaceId: WORKSPACE, executionId: 'e', stepId: 's' },
    ...(connection ? { connection } : {}),
  };
  return execute(app, imported.actions[0] as unknown as ActionManifest, given);
}

function documentOf(url: string, operation: JsonObject, more: JsonObject = {}): JsonObject {
  const paths = { '/orders/{id}': { post: { operationId: 'order', ...operation } } };
  return { openapi: '3.0.3', info: {}, servers: [{ url: `${url}/v1/` }], paths, ...more };
}

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

describe('an operation', () => {
  it('is called with all kinds of inputs, and answers like http.request', async () => {
    const { url, calls } = await loopback((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'x-made': '1' }).end('{"ok":true}'),
    );
    const parameters: JsonObject[] = [
      id,
      { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
      { name: 'X-Shop', in: 'header', schema: { type: 'string' } },
      { name: 'lang', in: 'cookie', schema: { type: 'string' } },
      { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
    ];
    const schema = { type: 'object', properties: { count: { type: 'integer' }, id: { type: 'string' } } };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const inputs = { id: 'a/b c', tags: ['x y', 'z'], 'X-Shop': 'bern', lang: 'de', count: 2, id_body: 'i' };
    const result = await call(documentOf(url, { parameters, requestBody }), { inputs });
    expect(result).toMatchObject({ ok: true, output: { ...OUTPUT, body: { ok: true } } });
    expect(calls).toMatchObject([
      {
        ...{ method: 'POST', url: '/v1/orders/a%2Fb%20c?tags=x%20y,z', body: '{"count":2,"id":"i"}' },
        headers: {
          'x-shop': 'bern',
          cookie: 'lang=de',
          'idempotency-key': 'key-1',
          'content-type': 'application/json',
        },
      },
    ]);
  });

  it('sends no Idempotency-Key that it does not declare', async () => {
    const { url, calls } = await loopback();
    await call(documentOf(url, { parameters: [id] }), { inputs: { id: '1' } });
    expect(calls[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('fails as http.request does, with Retry-After', async () => {
    const { url } = await loopback((_, response) => response.writeHead(429, { 'retry-after': '3' }).end('slow down'));
    expect(await call(documentOf(url, { parameters: [id] }), { inputs: { id: '1' } })).toMatchObject({
      ok: false,
      failure: {
        code: 'HTTP_STATUS',
        retryable: true,
        retryAfterMs: 3_000,
        details: { status: 429, body: 'slow down' },
      },
    });
  });

  it('refuses a path that leads elsewhere before anything is sent', async () => {
    const { url, calls } = await loopback();
    const result = await call(documentOf(url, { parameters: [id] }), { inputs: { id: '..' } });
    expect(result).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT', retryable: false } });
    expect(calls).toEqual([]);
  });
});

describe('a credential', () => {
  const securitySchemes = {
    header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
  };

  it.each([
    ['header', { apiKey: 'k-1' }, { headers: { 'x-key': 'k-1' } }],
    ['query', { apiKey: 'k 1' }, { url: '/v1/orders/1?key=k+1' }],
    ['cookie', { apiKey: 'k-1' }, { headers: { cookie: 'sid=k-1' } }],
    ['basic', { username: 'ann', password: 'pw' }, { headers: { authorization: 'Basic YW5uOnB3' } }],
    ['bearer', { token: 't-1' }, { headers: { authorization: 'Bearer t-1' } }],
  ])('is sent by its scheme: %s', async (type, credentials, sent) => {
    const { url, calls } = await loopback();
    const document = documentOf(
      url,
      { parameters: [id], security: [{ [type]: [] }] },
      { components: { securitySchemes } },
    );
    const connection = { type, credentials: credentials as Record<string, string> };
    expect(await call(document, { inputs: { id: '1' }, connection })).toMatchObject({ ok: true });
    expect(calls).toMatchObject([sent]);
  });

  it('is sent as that of the app http if the document names no scheme', async () => {
    const { url, calls } = await loopback();
    const connection = { type: 'apiKey', credentials: { apiKey: 'k-1', header: 'X-Mine' } };
    await call(documentOf(url, { parameters: [id] }), { inputs: { id: '1' }, connection });
    expect(calls).toMatchObject([{ headers: { 'x-mine': 'k-1' } }]);
  });

  it('is masked in the answer, renewed once, and not sent to another origin', async () => {
    const elsewhere = await loopback();
    let token = 't-1';
    const { url, calls } = await loopback((seen, response, index) => {
      if (index === 0) response.writeHead(401).end();
      else if (index === 1) response.writeHead(307, { location: `${elsewhere.url}/x` }).end();
      else response.end(seen.headers.authorization);
    });
    const document = documentOf(
      url,
      { parameters: [id], security: [{ bearer: [] }] },
      { components: { securitySchemes } },
    );
    const connection: CallConnection = {
      type: 'bearer',
      credentials: { token },
      renew: async () => {
        token = 't-secret-2';
        connection.credentials = { token };
        return undefined;
      },
    };
    const result = await call(document, { inputs: { id: '1' }, connection });
    expect(result).toMatchObject({
      ok: true,
      console: [{ level: 'warn', text: expect.stringContaining('redirects to') }],
    });
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-secret-2']);
    expect(elsewhere.calls[0]?.headers).not.toHaveProperty('authorization');
    const again = await call(document, { inputs: { id: '1' }, connection });
    expect(JSON.stringify(again)).not.toContain('t-secret-2');
  });
});

describe('an attack', () => {
  const refused = { ok: false, failure: { code: 'HTTP_REFUSED_ADDRESS', retryable: false } };
  const document = (url: string) => documentOf(url, { parameters: [id] });

  it.each(['http://169.254.169.254', 'http://[::1]:9', 'http://127.0.0.1:9', 'http://0x7f.1:9'])(
    'by a server at %s is refused',
    async (url) => {
      expect(await call(document(url), { inputs: { id: '1' }, allowed: [] })).toMatchObject(refused);
    },
  );

  it('by a name that resolves to a private address is refused', async () => {
    const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address: '10.0.0.1', family: 4 }]);
    expect(await call(document('http://shop.test'), { inputs: { id: '1' }, lookup })).toMatchObject(refused);
  });

  it('by a redirect to a private host is refused', async () => {
    const { url } = await loopback((_, response) => response.writeHead(307, { location: 'http://10.0.0.1/x' }).end());
    expect(await call(document(url), { inputs: { id: '1' } })).toMatchObject(refused);
  });

  it('by a huge body ends at the limit', async () => {
    const { url } = await loopback((_, response) => response.end('x'.repeat(50_000)));
    const failure = { code: 'HTTP_RESPONSE_TOO_LARGE', retryable: false };
    expect(await call(document(url), { inputs: { id: '1' } })).toMatchObject({ ok: false, failure });
  });

  it('by a slow body ends with the call', async () => {
    const stop = new AbortController();
    const { url } = await loopback((_, response) => {
      response.writeHead(200).write('x');
      stop.abort(new Error('stopped'));
    });
    await expect(call(document(url), { inputs: { id: '1' }, signal: stop.signal })).rejects.toThrow('stopped');
  });
});

it('fails if the document lacks the operation, or is not there', async () => {
  const documents = new OpenApiDocuments(async (_, digest) => (digest === 'broken' ? Buffer.from('{') : undefined));
  const execute = buildOpenApi({ allowedPrivateHosts: [], maxResponseBytes: 1 }, documents);
  for (const document of ['gone', 'broken']) {
    const app = { custom: { runs: { on: 'openapi', document }, digest: '' } } as unknown as CustomApp;
    const step = { inputs: {}, attempt: 1, idempotencyKey: 'k', signal: new AbortController().signal };
    const origin = { workspaceId: WORKSPACE, executionId: 'e' };
    const result = await execute(app, { actionId: 'x' } as ActionManifest, { ...step, origin });
    expect(result).toMatchObject({ ok: false, failure: { code: 'OPERATION_MISSING' } });
  }
});

describe('a hostile document', () => {
  const scheme = (name: string) => ({
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name } } },
    security: [{ key: [] }],
  });

  it.each(['Host', 'Transfer-Encoding', 'a b', 'a\r\nb'])('cannot send a key in the header %j', async (name) => {
    const { url, calls } = await loopback();
    const connection = { type: 'key', credentials: { apiKey: 'other.example' } };
    const result = await call(documentOf(url, { parameters: [id] }, scheme(name)), { inputs: { id: '1' }, connection });
    expect(result).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT', retryable: false } });
    expect(calls).toEqual([]);
  });

  it('cannot lead a value to another path, and half of a surrogate pair is refused', async () => {
    const { url, calls } = await loopback();
    for (const value of ['..', '.', '%2e%2e', '\ud800']) {
      const result = await call(documentOf(url, { parameters: [id] }), { inputs: { id: value } });
      if (value !== '%2e%2e') expect(result).toMatchObject({ failure: { code: 'INVALID_INPUT', retryable: false } });
    }
    expect(calls.map((each) => each.url)).toEqual(['/v1/orders/%252e%252e']);
  });
});
