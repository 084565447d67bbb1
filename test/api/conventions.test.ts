import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type OpenApiDocument, readOpenApi, routesOf } from '../../api/openapi.ts';
import { api } from '../setup/api/client.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const routes = routesOf(document);
const { url, apiKey, projectId } = await makeWorkspace();
const call = api(url, apiKey);
const nobody = api(url);

function sampleOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, randomUUID());
}

test.each(routes.filter((route) => !route.isPublic))('$method $path needs a credential', async ({ method, path }) => {
  const wrong: Record<string, string>[] = [
    {},
    { authorization: 'Bearer nothing' },
    { 'x-api-key': `pdr_${'x'.repeat(40)}` },
  ];
  for (const headers of wrong) {
    const { status, body, headers: answered } = await nobody(method.toUpperCase(), sampleOf(path), { headers });
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answered.get('www-authenticate')).toContain('Bearer');
  }
});

// An upload of `putAppContent` may be any bytes.
test.each(routes.filter((route) => route.hasBody && !route.isPublic && route.operationId !== 'putAppContent'))(
  '$method $path refuses invalid JSON, other media types and bodies that are too large',
  async ({ method, path, isBulk }) => {
    const send = (body: string, type = 'application/json') =>
      call(method.toUpperCase(), sampleOf(path), { body, headers: { 'content-type': type } });
    const broken = await send('{"a": 1,\n "b": }');
    expect(broken.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: '' }] });
    expect(broken.body.detail).toContain('line 2, column 7');
    expect((await send('a=b', 'application/x-www-form-urlencoded')).body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    const tooLarge = { a: 'x'.repeat(isBulk ? 10_500_000 : 1_100_000) };
    expect((await send(JSON.stringify(tooLarge))).body.code).toBe('PAYLOAD_TOO_LARGE');
  },
);

test.each(routes.filter(({ method }) => method === 'patch' || method === 'put'))(
  '$method $path without a body is answered as with an empty object, where no member is required',
  async ({ method, path }) => {
    const at = sampleOf(path);
    const empty = await call(method.toUpperCase(), at, { body: {} });
    if (empty.status === 400) return;
    const none = await call(method.toUpperCase(), at);
    expect([none.status, none.body]).toEqual([empty.status, { ...empty.body, requestId: none.body.requestId }]);
  },
);

test('an unknown path is 404, another method 405 with those there are', async () => {
  expect((await call('GET', '/api/nothing')).body.code).toBe('NOT_FOUND');
  const other = await call('DELETE', '/api/projects');
  expect(other.body.code).toBe('METHOD_NOT_ALLOWED');
  expect(other.headers.get('allow')).toBe('GET, POST');
  expect((await call('GET', '/api/projects/%E0%A4%A')).body.code).toBe('VALIDATION_FAILED');
  expect((await call('GET', '/api/projects/%00')).body.code).toBe('VALIDATION_FAILED');
});

test.each(['/healthz', '/readyz'])('%s rejects other methods like every path', async (path) => {
  const answer = await call('DELETE', path);
  expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
  expect(answer.headers.get('allow')).toBe('GET');
  expect((await call('GET', path)).status).toBe(200);
});

test('a list with commas may also be sent as a repeated parameter, as generated clients do', async () => {
  const list = async (query: string) => call('GET', `/api/executions?${query}`);
  const run = { appId: 'core', actionId: 'set', inputs: { values: { a: 1 } } };
  expect((await call('POST', '/api/actions/run', { body: run })).status).toBe(201);
  const together = await list('expansion=status,source&filterBy=status:COMPLETED,source:SDK&includeType=all,internal');
  expect(together.body).toMatchObject([{ status: 'COMPLETED', source: 'SDK' }]);
  const apart = 'expansion=status&expansion=source&filterBy=status:COMPLETED&filterBy=source:SDK';
  expect((await list(`${apart}&includeType=all&includeType=internal`)).body).toEqual(together.body);
  const unknown = await list(
    'expansion=status&expansion=nothing&filterBy=source:SDK&filterBy=other:1&includeType=all&includeType=some',
  );
  expect(unknown.body).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [
      { path: 'expansion', message: expect.stringContaining('"nothing" is not one of id, ') },
      { path: 'filterBy', message: expect.stringContaining('"other" is not one of projectId, ') },
      { path: 'includeType', message: '"some" is not one of all, internal' },
    ],
  });
  expect((await list('limit=1&limit=2')).body.code).toBe('VALIDATION_FAILED');
});

test('accepts HEAD for reads only, not for a GET that starts a workflow or never ends', async () => {
  const heads = [];
  for (const route of routes.filter((each) => each.method === 'get')) {
    const { status } = await fetch(new URL(sampleOf(route.path), url), { method: 'HEAD' });
    if (status === 405) heads.push(route.operationId);
    else expect([200, 401]).toContain(status);
  }
  const streams = ['resumeMessageStream', 'streamExecution', 'streamWorkspace'];
  expect(heads.sort()).toEqual(
    ['finishConnectionAuthorization', 'finishSsoLogin', 'getWebhook', 'startSsoLogin', ...streams].sort(),
  );
});

test.each(routes.filter(({ rowIds }) => rowIds.length > 0))(
  '$method $path: an id that is no UUID is as one that does not exist',
  async ({ method, path, hasBody, rowIds }) => {
    const example = document.paths[path]?.[method];
    const send = (id: string) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (rowIds.includes(name) ? id : 'x'));
      return call(method.toUpperCase(), filled, hasBody ? { body: exampleBody(example) } : {});
    };
    const [none, missing] = [await send('none'), await send(randomUUID())];
    expect([none.status, none.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(none.body.detail).toBe(missing.body.detail);
  },
);

test('the request id is taken from the caller or generated, and problems contain it', async () => {
  const own = await call('GET', '/api/projects/none', { headers: { 'x-request-id': 'mine-17' } });
  expect(own.headers.get('x-request-id')).toBe('mine-17');
  expect(own.body.requestId).toBe('mine-17');
  const made = await call('GET', '/api/projects/none', { headers: { 'x-request-id': 'not one' } });
  expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test.each(routes.filter((route) => /^\/api\/\w+$/.test(route.path) && route.method === 'get'))(
  '$path refuses unknown parameters, fields, keys and flags, and wrong limits',
  async ({ path }) => {
    const parameters = [
      'zzz=1',
      'limit=0',
      'limit=1001',
      'limit=x',
      'limit=1e999',
      `limit=${'9'.repeat(400)}`,
      'cursor=x',
      'expansion=zzz',
      'expansion=id,constructor',
    ];
    for (const parameter of parameters) {
      const { status, body } = await call('GET', `${path}?${parameter}`);
      expect([parameter, status, body.code]).toEqual([parameter, 400, 'VALIDATION_FAILED']);
    }
  },
);

test('a list goes from page to page, each item once, the newest first', async () => {
  const mine = await makeWorkspace();
  const own = api(mine.url, mine.apiKey);
  const made: string[] = [];
  for (let index = 0; index < 7; index++) {
    const { body } = await own('POST', '/api/variables', { body: { name: `v${index}`, value: index } });
    made.unshift(body.id);
  }
  const seen: string[] = [];
  let next: string | undefined = '/api/variables?limit=3&expansion=value';
  const sizes: number[] = [];
  while (next !== undefined) {
    const page = await own('GET', next);
    sizes.push(page.body.length);
    seen.push(...page.body.map((item: { id: string }) => item.id));
    next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(sizes).toEqual([3, 3, 1]);
  expect(seen).toEqual(made);
  expect((await own('GET', '/api/variables?limit=7')).headers.get('link')).toBeNull();
});

test('a cursor reveals nothing about other workspaces and is valid only in its own', async () => {
  for (const name of ['first', 'second']) await call('POST', '/api/projects', { body: { name } });
  const cursorOf = async () => {
    const { headers } = await call('GET', '/api/projects?limit=1');
    return new URL(/^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '').searchParams.get('cursor') ?? '';
  };
  const [cursor, again] = [await cursorOf(), await cursorOf()];
  // Cursors are sealed: the same position gives another text each time, without snapshot or position.
  expect(cursor).not.toBe(again);
  const plain = cursor.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect(plain.join()).not.toMatch(/\d+:\d+:|projects|[0-9a-f]{8}-[0-9a-f]{4}/);
  expect((await call('GET', `/api/projects?limit=1&cursor=${cursor}`)).status).toBe(200);
  const elsewhere = await makeWorkspace();
  const foreign = await api(elsewhere.url, elsewhere.apiKey)('GET', `/api/projects?limit=1&cursor=${cursor}`);
  expect([foreign.status, foreign.body.errors[0].path]).toEqual([400, 'cursor']);
});

test('repeats the answer for the same key and workspace; another request under it conflicts', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Once' };
  const first = await call('POST', '/api/projects', { body, headers });
  const again = await call('POST', '/api/projects', { body, headers });
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body]);
  expect((await call('POST', '/api/projects', { body: { name: 'Twice' }, headers })).body.code).toBe('CONFLICT');
  const elsewhere = await makeWorkspace();
  const other = await api(elsewhere.url, elsewhere.apiKey)('POST', '/api/projects', { body, headers });
  expect(other.status).toBe(201);
  expect(other.body.id).not.toBe(first.body.id);
});

test('a body with other formatting is the same request', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call('POST', '/api/variables', { body: '{"name":"written","value":{"a":1.0,"b":2}}', headers });
  const body = '{ "value": {"b": 2, "a": 1},\n  "name": "\\u0077ritten" }';
  const again = await call('POST', '/api/variables', { body, headers });
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
  expect(again.body).toEqual(first.body);
});

test('an event stream rejects a key, because it cannot be repeated', async () => {
  const path = `/api/executions/${randomUUID()}/stream`;
  const refused = await call('GET', path, { headers: { 'idempotency-key': 'k' } });
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: 'Idempotency-Key', message: 'expected no Idempotency-Key for an event stream' }],
  ]);
  expect((await call('GET', path)).status).toBe(404);
});

test('one of many simultaneous requests with one key takes effect', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const name = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call('POST', '/api/projects', { body: { name }, headers })),
  );
  expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
  expect(ids.size).toBe(1);
  const { body } = await call('GET', '/api/projects?limit=1000');
  expect(body.filter((project: { name: string }) => project.name === name)).toHaveLength(1);
});

test('a refusal is answered again too', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'A', value: 1, projectId: randomUUID() };
  const first = await call('POST', '/api/variables', { body, headers });
  const again = await call('POST', '/api/variables', { body, headers });
  expect([first.status, again.body]).toEqual([404, first.body]);
});

test('the headers of every answer forbid browsers to run, frame or guess content', async () => {
  for (const path of ['/api/projects', '/api/nothing', '/healthz', '/docs', '/openapi.json']) {
    const { headers } = await fetch(new URL(path, url));
    expectAbout(headers.get('content-security-policy'), path).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expectAbout(Object.fromEntries(headers), path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    // Over plain http, because another deployment of this host may have no https.
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('the explorer and the document load nothing from other hosts', async () => {
  const page = await fetch(new URL('/docs', url));
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.url).toBe(new URL('/docs/', url).href);
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => String(match[1]));
  expect(links).toContain('./swagger-ui-bundle.js');
  for (const link of links) {
    const place = new URL(link, page.url);
    expect(place.href).toContain(new URL('/docs/', url).href);
    expect((await fetch(place)).status).toBe(200);
  }
  const options = await (await fetch(new URL('/docs/swagger-ui-init.js', url))).text();
  expect(options).toContain('"swaggerUrl": "/openapi.json"');
  expect(options).toContain('"validatorUrl": null');
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
  const served = (await (await fetch(new URL('/openapi.json', url))).json()) as OpenApiDocument;
  expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
  expect(parse(await (await fetch(new URL('/openapi.yaml', url))).text())).toEqual(served);
});

test('pages lists without a table like all others', async () => {
  const all: { appId: string }[] = (await call('GET', '/api/workflow-apps')).body;
  const seen: string[] = [];
  let next: string | undefined = '/api/workflow-apps?limit=3';
  while (next !== undefined) {
    const { body, headers } = await call('GET', next);
    seen.push(...body.map((app: { appId: string }) => app.appId));
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(all.map(({ appId }) => appId));
  const cursor = Buffer.from('["projects",["core"],null,0]').toString('base64url');
  for (const path of ['/api/workflow-apps', '/api/auth/sso/providers']) {
    expect((await call('GET', `${path}?limit=1`)).status).toBe(200);
    for (const query of ['limit=0', `cursor=${cursor}`]) {
      const { status, body } = await call('GET', `${path}?${query}`);
      expect([status, body.errors[0].path]).toEqual([400, query.split('=')[0]]);
    }
  }
});

test('flags and catalogue answer, and the process is ready', async () => {
  expect((await call('GET', '/api/discovery/enabled-features')).body).toMatchObject({ vectorDatabase: true });
  const { body } = await call('GET', '/api/workflow-apps');
  expect(body.map((app: { appId: string }) => app.appId)).toContain('core');
  expect((await nobody('GET', '/healthz')).body).toEqual({ status: 'ok' });
  expect((await nobody('GET', '/readyz')).body).toEqual({ ready: true, database: true, engine: true, worker: true });
});

test('projects answer by their id to their own workspace', async () => {
  expect((await call('GET', `/api/projects/${projectId}`)).status).toBe(200);
});
