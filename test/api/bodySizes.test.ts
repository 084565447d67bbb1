import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import { api } from '../setup/api/client.ts';
import { action, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const home = await makeHome();

/** No body at all, and a media type without bytes: clients send both. */
const EMPTY = [{}, { body: '', headers: { 'content-type': 'application/json' } }];

test.each(routesOf(document).filter(({ hasBody, isPublic }) => hasBody && !isPublic))(
  '$method $path without a body is refused as bad input where it needs one, not for its media type',
  async ({ method, path }) => {
    const operation = document.paths[path]?.[method];
    const filled = path.replaceAll(/\{\w+\}/g, () => randomUUID());
    for (const empty of EMPTY) {
      const { status, body } = await home.api(method.toUpperCase(), filled, empty);
      if (operation?.requestBody?.required === true) {
        expect(body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ path: '' }] });
      } else {
        expect(status).not.toBe(415);
      }
    }
  },
);

test.each(['PATCH', 'PUT'])('%s without a body changes nothing', async (method) => {
  const create = async (path: string, body: object) => (await home.api('POST', path, { body })).body.id as string;
  const type = { slug: `t-${randomUUID()}` };
  const objectTypeId = (await home.api('POST', '/api/object-types/upsert', { body: type })).body.id;
  const queue = `/api/queues/${await create(`/api/queues?projectId=${home.projectId}`, { name: 'Q' })}`;
  const things = [
    `/api/projects/${home.projectId}`,
    `/api/variables/${await create('/api/variables', { name: `v_${method}`, value: 1 })}`,
    `/api/knowledge/${await create('/api/knowledge', { name: 'K' })}`,
    `/api/objects/${await create('/api/objects', { objectTypeId, name: 'O' })}`,
    queue,
    `${queue}/items/${await create(`${queue}/items`, { data: { a: 1 } })}`,
  ];
  for (const path of things) {
    const before = await home.api('GET', `${path}?expansion=updatedAt`);
    for (const empty of EMPTY) {
      const { status, body } = await home.api(method, `${path}?expansion=updatedAt`, empty);
      expect([path, status, body.updatedAt]).toEqual([path, 200, before.body.updatedAt]);
    }
  }
});

test('an input without a body has no values: missing fields are reported, and a form without required fields takes it', async () => {
  const nodes = [question('ask'), question('free', { fields: [{ key: 'note', label: 'Note', type: 'text' }] })];
  const executionId = await home.execute(await home.deploy({ nodes }));
  await Promise.all([home.asked(executionId, 'ask'), home.asked(executionId, 'free')]);
  const send = (nodeId: string) => home.api('POST', `/api/webhooks/executions/${executionId}/nodes/${nodeId}/input`);
  expect(await send('ask')).toMatchObject({
    status: 400,
    body: { code: 'MISSING_INPUT', errors: [{ path: 'answer' }] },
  });
  expect(await send('free')).toMatchObject({ status: 200, body: { accepted: true } });
});

const { url, apiKey, projectId } = await makeWorkspace();
const call = api(url, apiKey);
const open = api(url);

const unknownKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

test('reports only the first problem of a large body, but all of a small one', async () => {
  const send = (body: object) => call('POST', '/api/projects', { body });
  const small = await send(unknownKeys(3));
  expect(small.status).toBe(400);
  expect(small.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(['k0', 'k1', 'k2', 'name']);
  const large = await send({ name: 'A', ...unknownKeys(60_000) });
  expect([large.status, large.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(large.body.errors).toEqual([{ path: 'k0', message: expect.stringContaining('unknown key, expected one of') }]);
  expect(await send({ name: 'A', description: 'x'.repeat(1_000) })).toMatchObject({ status: 201 });
});

test('limits login requests to 64 KiB', async () => {
  const refresh = (length: number) => ({ refresh_token: 'x'.repeat(length) });
  const paths = ['login', '2fa/verify-login', 'login-with-token', 'read-login-token', 'login-link', 'refresh-token'];
  for (const path of paths) {
    const answer = await open('POST', `/api/auth/${path}`, { body: refresh(70_000) });
    expect([path, answer.status, answer.body.code]).toEqual([path, 413, 'PAYLOAD_TOO_LARGE']);
  }
  expect(await open('POST', '/api/auth/refresh-token', { body: refresh(10_000) })).not.toMatchObject({ status: 413 });
});

test('serves other requests while it checks and plans megabytes of definitions', async () => {
  const nodes = Array.from({ length: 100 }, (_, index) =>
    action(`n${index}`, 'core.set', { values: { a: '{{ trigger.body.x }}' } }),
  );
  const edges = nodes.slice(1).map((node, index) => ({ source: `n${index}`, target: node.id }));
  const resources = Array.from({ length: 150 }, (_, index) => ({
    ...{ kind: 'workflow', slug: `w${index}`, name: `W${index}`, trigger: { type: 'manual' }, nodes, edges },
  }));
  let isOver = false;
  const planned = call('POST', `/api/projects/${projectId}/apply`, { body: { dryRun: true, resources } }).finally(
    () => {
      isOver = true;
    },
  );
  let turns = 0;
  for (; !isOver; turns += 1) expect((await fetch(`${url}/healthz`)).ok).toBe(true);
  const { status, body } = await planned;
  expect([status, body.plan.length]).toEqual([200, 150]);
  expect(turns).toBeGreaterThan(20);
});

describe('large answers', () => {
  test('a list shows 16 MiB of values, and links to the rest', async () => {
    const { url, apiKey, workspaceId } = await makeWorkspace();
    const call = api(url, apiKey);
    const value = 'x'.repeat(500_000);
    const count = 40;
    for (let index = 0; index < count; index += 10) {
      const data = Array.from({ length: 10 }, (_, at) => ({ id: v7(), workspaceId, name: `v${index + at}`, value }));
      await stackDatabase().variable.createMany({ data });
    }
    const { status, body, headers } = await call('GET', '/api/variables?expansion=value');
    expect([status, headers.get('link'), body.length]).toEqual([200, null, count]);
    const bytes = JSON.stringify(value).length;
    const fitting = Math.floor(DEFAULT_ANSWER_BYTES / bytes);
    const shown = body.filter((each: { value: string | null }) => each.value === value);
    expect(shown).toHaveLength(fitting);
    expect(JSON.stringify(body).length).toBeLessThan(DEFAULT_ANSWER_BYTES + 100_000);
    const { valueLink, valueBytes } = body.at(-1);
    expect(valueBytes).toBe(bytes);
    expect((await call('GET', valueLink)).body.value).toBe(value);
  });

  /** The limit of a step's output (MAX_OUTPUT_BYTES), and so of a webhook's answer. */
  const MAX_BYTES = 10_485_760;
  const AROUND = '{"data":""}'.length;

  test('a webhook answers with the largest allowed output; one byte more fails its step', async () => {
    const home = await makeHome();
    const hook = await home.deploy({
      trigger: webhook({ respond: 'whenFinished' }),
      nodes: [action('give', 'testing.payload', { bytes: '{{ trigger.body.bytes }}' })],
    });
    const answerOf = (bytes: number) => api(home.url)('POST', `/api/webhooks/workflows/${hook}`, { body: { bytes } });
    const largest = await answerOf(MAX_BYTES - AROUND);
    expect([largest.status, largest.body.data?.length]).toEqual([200, MAX_BYTES - AROUND]);
    const above = await answerOf(MAX_BYTES - AROUND + 1);
    expect(above).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED' } });
    expect(above.body.detail).toContain(`The output has ${MAX_BYTES + 1} bytes; at most ${MAX_BYTES} are allowed`);
  });

  test('a webhook accepts a body of MAX_BODY_BYTES, but not one byte more', async () => {
    const home = await makeHome();
    const hook = await home.deploy({
      trigger: webhook({ respond: 'whenFinished' }),
      nodes: [action('size', 'core.set', { values: { size: '{{ size(trigger.body) }}' } })],
    });
    const send = (bytes: number) =>
      api(home.url)('POST', `/api/webhooks/workflows/${hook}`, {
        body: 'x'.repeat(bytes),
        headers: { 'content-type': 'text/plain' },
      });
    expect((await send(1_048_576)).body).toEqual({ size: 1_048_576 });
    expect((await send(1_048_577)).body.code).toBe('PAYLOAD_TOO_LARGE');
  });
});
