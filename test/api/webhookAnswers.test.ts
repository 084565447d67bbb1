import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { action, chain, control, webhook } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';

const home = await makeHome();
const finished = webhook({ respond: 'whenFinished' });

async function answerTo(inputs: JsonObject, trigger: object = {}) {
  const id = await home.deploy({ trigger: finished, nodes: [control('reply', 'respond', inputs)] });
  return fetch(new URL(`/api/webhooks/workflows/${id}`, home.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(trigger),
  });
}

test('text, JSON, bytes and nothing, with the content type that the workflow says', async () => {
  const html = await answerTo({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: '<b>ä</b>' });
  expect([html.headers.get('content-type'), await html.text()]).toEqual(['text/html; charset=utf-8', '<b>ä</b>']);
  const json = await answerTo({ body: { a: ['{{ trigger.body.n }}'] } }, { n: 1 });
  expect(json.headers.get('content-type')).toContain('application/json');
  expect(await json.json()).toEqual({ a: [1] });
  const bytes = Buffer.from([0x89, 0x50, 0, 255]);
  const picture = { body: '{{ trigger.body.file }}', encoding: 'base64', headers: { 'content-type': 'image/png' } };
  const sent = await answerTo(picture, { file: bytes.toString('base64') });
  expect(sent.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true);
  const none = await answerTo({ status: 204, headers: { 'x-request-id': 'not mine', 'x-tea': 'green' } });
  expect([none.status, await none.text(), none.headers.get('x-tea')]).toEqual([204, '', 'green']);
  expect(none.headers.get('x-request-id')).not.toBe('not mine');
});

test('the answer of a workflow is a page of its own origin, and its own policy applies too', async () => {
  const page = { 'Content-Type': 'text/html', 'Content-Security-Policy': '{{ trigger.body.policy }}' };
  const script = '<script>fetch("/api/projects")</script>';
  const plain = await answerTo({ headers: page, body: script }, { policy: null });
  expect(plain.headers.get('content-security-policy')).toBe('sandbox');
  expect(plain.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const loose = await answerTo({ headers: page, body: script }, { policy: 'sandbox allow-scripts allow-same-origin' });
  expect(loose.headers.get('content-security-policy')).toBe('sandbox, sandbox allow-scripts allow-same-origin');
  const json = await answerTo({ body: { a: 1 } });
  expect(json.headers.get('content-security-policy')).toBe('sandbox');
  expect(json.headers.get('x-content-type-options')).toBe('nosniff');
});

const OF_THE_ORIGIN = ['Set-Cookie', 'Service-Worker-Allowed', 'Clear-Site-Data', 'Strict-Transport-Security', 'NEL'];

test.each(OF_THE_ORIGIN)('%s holds for the whole origin: refused by the upsert, and by the step', async (name) => {
  const nodes = [control('reply', 'respond', { headers: { [name]: '*' } })];
  const body = { slug: 'origin', trigger: finished, nodes, edges: [] };
  const refused = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(refused.body.errors[0].path).toContain(name);
  const answer = await answerTo({ headers: '{{ trigger.body }}' }, { [name.toLowerCase()]: '/' });
  expect([answer.status, answer.headers.get(name)]).toEqual([500, null]);
  const { executionId } = (await answer.json()) as { executionId: string };
  expect(stepOf(await home.read(executionId), 'reply').error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('would apply to every answer of this server'),
  });
});

test.each(['text/javascript', 'Application/X-JavaScript; charset=utf-8', 'text/html, text/ecmascript'])(
  'a script of type %s is refused by the upsert, and by the step',
  async (type) => {
    const inputs = (contentType: string) => ({ headers: { 'Content-Type': contentType }, body: 'alert(1)' });
    const body = { slug: 'script', trigger: finished, nodes: [control('reply', 'respond', inputs(type))], edges: [] };
    expect(await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body })).toMatchObject({
      status: 400,
      body: {
        errors: [{ path: 'nodes[0].inputs.headers.Content-Type', message: expect.stringContaining('JavaScript') }],
      },
    });
    const answer = await answerTo(inputs('{{ trigger.body.type }}'), { type });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('cannot send JavaScript') });
  },
);

test('headers are sent as Latin-1, and the body as UTF-8', async () => {
  const id = await home.deploy({
    trigger: finished,
    nodes: [control('reply', 'respond', { headers: { 'x-name': 'Grüße' }, body: '{{ trigger.body.text }}' })],
  });
  const { hostname, port } = new URL(home.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ text: 'Grüße' });
  socket.write(
    `POST /api/webhooks/workflows/${id} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const answer = Buffer.concat(chunks);
  const head = answer.subarray(0, answer.indexOf('\r\n\r\n'));
  expect(head.toString('latin1')).toContain('x-name: Grüße\r\n');
  expect(answer.subarray(head.length).toString('utf8')).toContain('Grüße');
});

test('a header beyond Latin-1 fails the step', async () => {
  const answer = await answerTo({ headers: { 'x-name': '{{ trigger.body.name }}' } }, { name: '✓' });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    code: 'EXECUTION_FAILED',
    detail: expect.stringContaining('expected Latin-1 characters'),
  });
});

test('headers that a proxy would obey are never sent, and an answer keeps our nosniff', async () => {
  for (const name of ['x-accel-redirect', 'x-sendfile', 'x-content-type-options', 'x-frame-options', 'refresh']) {
    const answer = await answerTo({ headers: '{{ trigger.body }}' }, { [name]: '/internal/secret' });
    expect([name, answer.status, answer.headers.get('x-content-type-options')]).toEqual([name, 500, 'nosniff']);
    expect(JSON.stringify([...answer.headers])).not.toContain('/internal/secret');
  }
  const plain = await answerTo({ headers: { 'Cache-Control': 'no-cache', 'Content-Type': 'text/plain' }, body: 'a' });
  expect([plain.headers.get('cache-control'), plain.headers.get('x-content-type-options')]).toEqual([
    'no-cache',
    'nosniff',
  ]);
});

test.each([
  [
    'a line break in a header',
    { headers: { 'X-A': '{{ trigger.body.text }}' } },
    'headers.X-A: a header value cannot contain line breaks',
  ],
  [
    'a header of the connection',
    { headers: '{{ trigger.body.hop }}' },
    'headers.Transfer-Encoding: is set by the server',
  ],
  ['what is no base64', { body: '{{ trigger.body.text }}', encoding: 'base64' }, 'body: expected base64'],
  ['a body where none can be', { status: '{{ trigger.body.none }}', body: 'x' }, 'body: an answer of 204 has no body'],
])('%s fails the step with its place', async (_, inputs, message) => {
  const values = { text: 'a\r\nSet-Cookie: b=c', hop: { 'Transfer-Encoding': 'chunked' }, none: 204 };
  const answer = await answerTo(inputs, values);
  expect(answer.status).toBe(500);
  expect(answer.headers.get('set-cookie')).toBeNull();
  const { code, executionId } = (await answer.json()) as { code: string; executionId: string };
  expect(code).toBe('EXECUTION_FAILED');
  const { error } = stepOf(await home.read(executionId), 'reply');
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
});

test('the log leads from a failed call to its execution, also in the lines of the Temporal SDK', async () => {
  const id = await home.deploy({ trigger: finished, nodes: [control('end', 'stop', { outcome: 'failed' })] });
  const answer = await fetch(new URL(`/api/webhooks/workflows/${id}`, home.url), { method: 'POST' });
  const { executionId, requestId } = (await answer.json()) as { executionId: string; requestId: string };
  await poll(() => stackLog(executionId)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'EXECUTION_FAILED', requestId, executionId }),
      expect.objectContaining({ from: 'temporal', workflowId: executionId, workflowType: expect.any(String) }),
    ]),
  );
});

test('the upsert refuses an answer that is invalid from the start', async () => {
  const headers = { 'X-A': 'a\r\nb', Connection: 'close', 'X B': 'c' };
  const nodes = [control('reply', 'respond', { headers, encoding: 'hex' })];
  const body = { slug: 'answers', trigger: finished, nodes, edges: [] };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'nodes[0].inputs.headers.X-A',
    'nodes[0].inputs.headers.Connection',
    'nodes[0].inputs.headers["X B"]',
    'nodes[0].inputs.encoding',
  ]);
});

test('in the middle: the caller gets the answer immediately, and the remote action after it continues', async () => {
  const held: ServerResponse[] = [];
  const server = await loopback((_call, response) => void held.push(response));
  const id = await home.deploy({
    trigger: webhook({ respond: 'whenFinished', duplicates: { key: 'trigger.body.id', forMs: 60_000 } }),
    nodes: [
      control('reply', 'respond', { status: 202, body: { taken: '{{ trigger.body.id }}' } }),
      action('slow', 'http.request', { method: 'POST', url: server.url, body: '{{ steps.reply.output.body }}' }),
      action('after', 'core.transform', { value: '{{ steps.slow.output.body }}' }),
    ],
    edges: chain('reply', 'slow', 'after'),
  });
  const send = async () => {
    const answer = await fetch(new URL(`/api/webhooks/workflows/${id}`, home.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id": "a"}',
    });
    return {
      status: answer.status,
      executionId: answer.headers.get('x-execution-id') ?? '',
      body: await answer.json(),
    };
  };
  // The server answers only below, so a response that waited for the end would never come.
  const first = await send();
  expect(first).toMatchObject({ status: 202, body: { taken: 'a' } });
  expect(await send()).toEqual(first);
  await poll(() => held.length, { timeout: 30_000 }).toBe(1);
  expect((await home.read(first.executionId)).status).toBe('RUNNING');
  held[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
  expect(await home.ended(first.executionId)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
  expect(await send()).toEqual(first);
});
