import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { inject } from '../setup/stack/inject.ts';
import { action, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const home = await makeHome();
const { url, apiKey } = await makeWorkspace();
const call = api(url, apiKey);
const open = api(url);

async function raw(text: string): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(inject('stack').apiUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  const [head = '', ...body] = answer.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head: head.toLowerCase(), body: body.join('') };
}

const KEY = `x-api-key: ${apiKey}\r\nconnection: close`;

test.each([
  ['a header that is none', 'GET / HTTP/1.1\r\nhost: a\r\nbroken\r\n\r\n', 400, 'VALIDATION_FAILED'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'VALIDATION_FAILED'],
  ['headers of 20 KB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['a path of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
    'VALIDATION_FAILED',
  ],
  ['no Host', `GET /api/projects HTTP/1.1\r\n${KEY}\r\n\r\n`, 400, 'VALIDATION_FAILED'],
  ['a broken Host', `GET /api/projects HTTP/1.1\r\nhost: a b%%\r\n${KEY}\r\n\r\n`, 400, 'VALIDATION_FAILED'],
  ['a Host with a path', `GET /api/projects HTTP/1.1\r\nhost: a/b\r\n${KEY}\r\n\r\n`, 400, 'VALIDATION_FAILED'],
  ['a Host with a user', `GET /api/projects HTTP/1.1\r\nhost: u@b\r\n${KEY}\r\n\r\n`, 400, 'VALIDATION_FAILED'],
  ['a wrong port', `GET /api/projects HTTP/1.1\r\nhost: a:99999\r\n${KEY}\r\n\r\n`, 400, 'VALIDATION_FAILED'],
])('%s is answered as a problem', async (_, text, status, code) => {
  const answer = await raw(text);
  expect(answer.status).toBe(status);
  expect(answer.head).toContain('content-type: application/problem+json');
  expect(answer.head).toMatch(/x-request-id: \S+/);
  const problem = JSON.parse(answer.body);
  expect(problem).toMatchObject({ status, code, type: `/docs/problems#${code}` });
  expect(answer.head).toContain(`x-request-id: ${problem.requestId}`);
});

test('accepts HTTP/1.0 without Host, and ignores an unknown expectation', async () => {
  expect((await raw(`GET /api/projects HTTP/1.0\r\n${KEY}\r\n\r\n`)).status).toBe(200);
  const strange = `GET /api/projects HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n${KEY}\r\n\r\n`;
  expect((await raw(strange)).status).toBe(200);
});

test('accepts an absolute URL, whose host overrides the header', async () => {
  const get = (target: string) => raw(`GET ${target} HTTP/1.1\r\nhost: a\r\n${KEY}\r\n\r\n`);
  const answer = await get('http://a/api/projects?limit=1');
  expect([answer.status, answer.head]).toEqual([200, expect.stringContaining('application/json')]);
  expect((await get('http://a/api/projects?nope=1')).body).toContain('nope: Unknown query parameter');
  expect(JSON.parse((await get('HTTP://a?limit=1')).body)).toMatchObject({ code: 'NOT_FOUND' });
  expect((await get('http://a:99999/api/projects')).body).toContain('Host');
});

const typed = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
  fetch(`${url}/api/projects`, { method: 'POST', body, headers: { 'x-api-key': apiKey, 'content-type': type } });

test.each([
  'application/json;',
  'Application/JSON ; charset=UTF-8',
  'application/json; charset="utf8"',
  'application/json; profile=x; charset=utf-8',
])('a body of the type %s is JSON', async (type) => {
  expect((await typed('{"name": "A"}', type)).status).toBe(201);
});

test('rejects text that is not UTF-8, and stores nothing', async () => {
  expect((await typed('{"name": "A"}', 'application/json; charset=latin1')).status).toBe(415);
  const refused = await typed(new Uint8Array(Buffer.from('{"name": "Jos\u00e9"}', 'latin1')), 'application/json');
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: 'VALIDATION_FAILED', errors: [{ path: '' }] },
  ]);
  const marked = await typed('\ufeff{"name": "Jos\u00e9"}', 'application/json');
  expect([marked.status, await marked.json()]).toMatchObject([201, { name: 'Jos\u00e9' }]);
});

test.each([
  '2026-02-31',
  '2026-02-30T10:15Z',
  '0000-01-01',
  '9999-12-31T23:59:59-23:59',
  '2026-13-01',
  '+275760-09-13',
])('a filter by the time %s is refused', async (time) => {
  const { status, body } = await call('GET', `/api/executions?filterBy=startedAfter:${encodeURIComponent(time)}`);
  expect([status, body.code, body.errors[0].path]).toEqual([400, 'VALIDATION_FAILED', 'filterBy']);
});

const ID = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
const FORGED = [
  'x',
  `2026-02-31T00:00:00.000Z ${ID}`,
  `0000-01-01T00:00:00.000Z ${ID}`,
  `275760-09-12T00:00:00.000Z ${ID}`,
  '2026-01-01T00:00:00.000Z nothing',
  "2026-01-01T00:00:00.000Z ' OR true --",
  '{"at":1}',
  '[]',
  'null',
  '99999999999999999999',
  '-1',
  '\u0000',
];

test("every list rejects a forged cursor, and another workspace's cursor shows none of its rows", async () => {
  const started = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  const lists = ['/api/projects', '/api/workflows', '/api/executions', '/api/variables', '/api/connections'];
  for (const text of FORGED) {
    const cursor = Buffer.from(text).toString('base64url');
    for (const list of lists) {
      const { status, body } = await call('GET', `${list}?cursor=${cursor}`);
      expect([list, text, status, body.code]).toEqual([list, text, 400, 'VALIDATION_FAILED']);
    }
    const steps = await home.api('GET', `/api/executions/${started}/steps?cursor=${cursor}`);
    expect([text, steps.status]).toEqual([text, 400]);
  }
  const page = await home.api('GET', '/api/executions?limit=1');
  await home.execute(await home.deploy({ nodes: [question('ask')] }));
  const next = await home.api('GET', '/api/executions?limit=1');
  const cursor = /cursor=([^&>]+)/.exec(next.headers.get('link') ?? '')?.[1];
  expect(page.body).toHaveLength(1);
  const strangers = await call('GET', `/api/executions?cursor=${cursor}`);
  expect([strangers.status, strangers.body.errors]).toMatchObject([400, [{ path: 'cursor' }]]);
  expect(Buffer.from(cursor ?? '', 'base64url').toString()).not.toContain('executions');
});

const DEEP = 5_000;
const nested = (start: string, end: string) => `{"value": ${start.repeat(DEEP)}1${end.repeat(DEEP)}}`;
const BODIES = [nested('[', ']'), nested('{"a":', '}'), `${'['.repeat(DEEP)}`];

test.each(BODIES)('every operation rejects 5,000 nested levels, with their place', async (body) => {
  const hook = await home.deploy({ trigger: webhook({ respond: 'whenFinished' }), nodes: [question('ask')] });
  const asking = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(asking, 'ask');
  const doors: [typeof call, string][] = [
    [call, '/api/variables'],
    [home.api, `/api/projects/${home.projectId}/workflows/upsert`],
    [call, '/api/executions/bulk/cancel'],
    [open, `/api/webhooks/workflows/${hook}`],
    [open, `/api/webhooks/executions/${asking}/nodes/ask/input`],
    [open, '/api/auth/login'],
  ];
  for (const [door, path] of doors) {
    const answer = await door('POST', path, { body });
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'VALIDATION_FAILED']);
    expect(answer.body.errors).toEqual([
      {
        path: '',
        message: expect.stringMatching(/^more than 100 nested levels at line 1, column \d+$/),
      },
    ]);
  }
});

test('a number that would be infinite is refused with its place, and not stored as null', async () => {
  const hook = await home.deploy({ trigger: webhook({ respond: 'whenFinished' }), nodes: [question('ask')] });
  const doors: [typeof call, string][] = [
    [call, '/api/variables'],
    [home.api, `/api/projects/${home.projectId}/workflows/upsert`],
    [open, `/api/webhooks/workflows/${hook}`],
  ];
  for (const [door, path] of doors) {
    const answer = await door('POST', path, { body: '{"name": "N", "value": {"list": [1, -1e999]}}' });
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'VALIDATION_FAILED']);
    expect(answer.body.errors).toMatchObject([{ path: 'value.list[1]' }]);
  }
  const most = await call('POST', '/api/variables?expansion=value', {
    body: '{"name": "MOST", "value": [1.7e308, 1e-999]}',
  });
  expect([most.status, most.body.value]).toEqual([201, [1.7e308, 0]]);
});

test('accepts the allowed number of levels; brackets in forms and queries are text', async () => {
  const hook = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [action('size', 'core.transform', { value: '{{ size(trigger.body) + size(trigger.query) }}' })],
  });
  const path = `/api/webhooks/workflows/${hook}`;
  const most = `${'['.repeat(90)}${']'.repeat(90)}`;
  expect(await open('POST', path, { body: most })).toMatchObject({ status: 200, body: 1 });
  const brackets = encodeURIComponent(`a${'[b]'.repeat(DEEP)}`)
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await open('POST', path, { body: `${brackets}=1`, headers })).toMatchObject({ status: 200, body: 1 });
  const query = `a${'[b]'.repeat(1_000)}=1`;
  expect(await open('POST', `${path}?${query}`, { body: {} })).toMatchObject({ status: 200, body: 1 });
  expect((await call('GET', `/api/projects?${query}`)).status).toBe(400);
});
