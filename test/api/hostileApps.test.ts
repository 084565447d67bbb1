import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const upsert = (home: Home, body: object) => home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body });

async function put(home: Home, content: string): Promise<string> {
  const digest = createHash('sha256').update(content).digest('hex');
  const { status } = await fetch(`${home.url}/api/apps/contents/${digest}`, {
    ...{ method: 'PUT', body: content },
    headers: { 'x-api-key': home.apiKey, 'content-type': 'application/octet-stream' },
  });
  expect(status).toBe(200);
  return digest;
}

test('contents, apps and versions of another workspace do not exist', async () => {
  const [home, other] = [await makeHome(), await makeHome()];
  const bundle = await put(home, `exports.run = () => "${home.workspaceId}";`);
  const app = { slug: 'shop', runs: { on: 'function', bundle }, actions: [{ actionId: 'ping' }] };
  const { body: mine } = await upsert(home, app);
  const absent = await upsert(other, app);
  expect([absent.status, absent.body.errors]).toEqual([
    400,
    [{ path: 'runs.bundle', message: 'upload the content of this digest first' }],
  ]);
  for (const which of [mine.id, 'shop']) {
    expect((await other.api('DELETE', `/api/apps/${which}`)).status).toBe(404);
  }
  const stolen = { ...action('a', 'shop.ping'), appDigest: mine.digest };
  const body = { slug: 'w', nodes: [stolen], edges: [] };
  const refused = await other.api('POST', `/api/projects/${other.projectId}/workflows/upsert`, { body });
  expect(refused.body.errors).toMatchObject([{ path: 'nodes[0].appId', message: 'there is no app shop' }]);
  // An equal bundle of two workspaces runs in two processes.
  await put(other, `exports.run = () => "${home.workspaceId}";`);
  expect((await upsert(other, app)).status).toBe(200);
});

test('a node cannot name a version of an app', async () => {
  const home = await makeHome();
  const app = { slug: 'shop', runs: { on: 'http', baseUrl: 'https://shop.example' }, actions: [{ actionId: 'a' }] };
  const { body: first } = await upsert(home, app);
  const { body: second } = await upsert(home, { ...app, name: 'New' });
  for (const appDigest of [first.digest, '0'.repeat(64), { $ne: '' }]) {
    const body = { slug: 'w', nodes: [{ ...action('a', 'shop.a'), appDigest }], edges: [] };
    const stored = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
    if (stored.status !== 200) expect(stored.status).toBe(400);
    else {
      const read = await home.api('GET', `/api/workflows/${stored.body.id}?expansion=nodes`);
      expect(read.body.nodes[0].appDigest).toBe(second.digest);
    }
  }
});

test('slugs, actions and fields may have the names of members of every object', async () => {
  const home = await makeHome();
  const { url, calls } = await loopback((_, response) => response.end('{"output":{"__proto__":1,"constructor":2}}'));
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const fields = names.map((key) => ({ key, label: key, type: 'text' }));
  const app = (slug: string) => ({
    ...{ slug, runs: { on: 'http', baseUrl: url } },
    actions: names.map((actionId) => ({ actionId, inputConfig: { fields } })),
  });
  for (const slug of ['constructor', 'toString', 'valueOf']) {
    expect(await upsert(home, app(slug))).toMatchObject({ status: 200, body: { slug } });
    expect((await home.api('GET', `/api/workflow-apps/${slug}`)).body.actions).toHaveLength(names.length);
  }
  const inputs = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
  const ended = await home.run({
    nodes: [action('a', 'constructor.__proto__', inputs)],
    output: '{{ steps.a.output }}',
  });
  expect(ended.status).toBe('COMPLETED');
  expect(JSON.stringify(ended.output)).toBe('{"__proto__":1,"constructor":2}');
  expect(JSON.parse(calls[0]?.body ?? '').inputs).toEqual(inputs);
  expect(calls[0]?.url).toBe('/__proto__');
});

test('the filter waitingForWorker takes any text', async () => {
  const home = await makeHome();
  const names = ['a:b', '%00', '%', "' OR 1=1 --", '%F0%9F%92%A9', 'x'.repeat(2_000), '*', '__proto__'];
  for (const name of names) {
    const { status } = await home.api('GET', `/api/executions?filterBy=waitingForWorker:${name}`);
    expect([200, 400]).toContain(status);
  }
});

test('names of queues of Perdure, of Temporal, or of nobody are refused', async () => {
  const home = await makeHome();
  const withQueue = (taskQueue: string) =>
    upsert(home, { slug: 'w', runs: { on: 'worker', taskQueue }, actions: [{ actionId: 'a' }] });
  for (const queue of ['', ' ', '\0', 'a\nb', '/_sys/perdure/1', 'temporal-sys-x', '__temporal_x', 'x'.repeat(1_000)]) {
    expect([queue, (await withQueue(queue)).status]).toEqual([queue, 400]);
  }
});

test('a deep or large manifest is refused without delay', async () => {
  const home = await makeHome();
  const nested = (levels: number): object => (levels === 0 ? {} : { type: 'array', items: nested(levels - 1) });
  const app = (outputSchema: object) => ({
    ...{ slug: 'deep', runs: { on: 'http', baseUrl: 'https://shop.example' } },
    actions: [{ actionId: 'a', outputSchema }],
  });
  expect((await upsert(home, app(nested(500)))).status).toBe(400);
  expect(
    (await upsert(home, app({ properties: { a: { $ref: 'http://127.0.0.1:1/schema' }, b: { pattern: '(a+)+$' } } })))
      .status,
  ).toBe(200);
  const actions = Array.from({ length: 1_001 }, (_, index) => ({ actionId: `a${index}` }));
  expect((await upsert(home, { ...app({}), actions })).body.errors).toMatchObject([{ path: 'actions' }]);
});
