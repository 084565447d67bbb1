import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

/** The longest allowed pause of a process. */
const MAX_MS = 250;
const LONG = 'x'.repeat(400_000);

/** Returns the shortest pause of several tries, because other processes cause pauses too. */
async function healthWhile<T>(home: Home, work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let best = await triedWhile(home, work);
  for (let tries = 1; tries < 4 && best.longestMs >= MAX_MS; tries += 1) {
    const other = await triedWhile(home, work);
    if (other.longestMs < best.longestMs) best = other;
  }
  return best;
}

async function triedWhile<T>({ url }: Home, work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let isOver = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      const { ok } = await fetch(`${url}/healthz`);
      longestMs = Math.max(longestMs, performance.now() - began);
      expect(ok).toBe(true);
    }
  })();
  try {
    return { result: await work(), longestMs };
  } finally {
    isOver = true;
    await asking;
  }
}

test('an anonymous delivery whose key exceeds its budget is rejected, and the process continues', async () => {
  const home = await makeHome();
  const key = '{{ string(trigger.body.l.map(a, size(trigger.body.t)).size()) + trigger.body.k }}';
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'immediately', duplicates: { key, forMs: 60_000 } }),
    nodes: [action('a', 'core.set', { values: { v: 1 } })],
  });
  const path = `/api/webhooks/workflows/${workflowId}`;
  const send = (count: number) =>
    api(home.url)('POST', path, { body: { k: `k${count}`, t: LONG, l: Array(count).fill(0) } });
  const { result, longestMs } = await healthWhile(home, () => send(10_000));
  expect(result).toMatchObject({
    status: 400,
    body: { code: 'EXPRESSION_LIMIT', errors: [{ path: 'trigger.config.duplicates.key' }] },
  });
  expect(longestMs).toBeLessThan(MAX_MS);
  // A slow delivery is still valid, and its duplicate is dropped.
  const first = await send(3);
  expect(first.status).toBe(200);
  expect((await send(3)).headers.get('x-execution-id')).toBe(first.headers.get('x-execution-id'));
});

test('an expensive pattern of an entity type reaches the limit, in an import only for its row', async () => {
  const home = await makeHome();
  const schema = { properties: { code: { type: 'string', pattern: '(x?){900}[yz]$' }, zip: { pattern: '^[0-9]+$' } } };
  await home.api('POST', '/api/object-types/upsert', { body: { slug: 'slow', attributeSchema: schema } });
  const code = 'x'.repeat(200_000);
  const create = (attributes: object) =>
    home.api('POST', '/api/objects', { body: { objectTypeSlug: 'slow', name: 'A', attributes } });
  const { result, longestMs } = await healthWhile(home, () => create({ code }));
  expect(result).toMatchObject({
    status: 400,
    body: { code: 'EXPRESSION_LIMIT', errors: [{ path: 'attributes.code' }] },
  });
  expect(longestMs).toBeLessThan(MAX_MS);
  expect(await create({ code: 'xxy', zip: '12345' })).toMatchObject({ status: 201 });
  expect(await create({ code: 'xxy', zip: 'y' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'attributes.zip' }] },
  });
  const rows = [
    { name: 'B', code },
    { name: 'C', code: 'y' },
  ];
  const imported = await home.api('POST', '/api/objects/import', { body: { objectTypeSlug: 'slow', rows } });
  expect(imported.body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 1, field: 'code' }] });
});

test('a large attribute schema is compiled, and its entities are checked, while other requests are answered', async () => {
  const home = await makeHome();
  const schemaOf = (prefix: string) => ({
    properties: Object.fromEntries(
      Array.from({ length: 800 }, (_, index) => [
        `${prefix}${index}`,
        { type: 'string', maxLength: 200, pattern: `^[a-z]{1,${(index % 50) + 1}}$` },
      ]),
    ),
    required: [`${prefix}7`],
  });
  const order: string[] = [];
  const types = ['a', 'b', 'c'].map(async (prefix) => {
    const body = { slug: `large-${prefix}`, attributeSchema: schemaOf(prefix) };
    const { status } = await home.api('POST', '/api/object-types/upsert', { body });
    order.push(`type ${status}`);
  });
  for (let count = 0; count < 10; count += 1) {
    const { status } = await fetch(`${home.url}/healthz`);
    order.push(`healthz ${status}`);
  }
  await Promise.all(types);
  expect(order).toEqual([...Array(10).fill('healthz 200'), ...Array(3).fill('type 200')]);

  const create = (attributes: object) =>
    home.api('POST', '/api/objects', { body: { objectTypeSlug: 'large-a', name: 'A', attributes } });
  expect(await create({ a7: 'abc' })).toMatchObject({ status: 201 });
  expect(await create({ a8: '1', a9: 'b' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'attributes.a7' }, { path: 'attributes.a8' }] },
  });
  const rows = [
    { name: 'B', a7: 'b' },
    { name: 'C', a7: '1' },
  ];
  const imported = await home.api('POST', '/api/objects/import', { body: { objectTypeSlug: 'large-a', rows } });
  expect(imported.body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 2, field: 'a7' }] });
  const { id } = (await home.api('GET', '/api/object-types')).body.find(
    ({ slug }: { slug: string }) => slug === 'large-a',
  );
  const template = await home.api('GET', `/api/objects/import/template/${id}`);
  expect(template.body.sampleRow).toMatchObject({ a7: expect.any(String) });
});

test('a step whose expressions exceed their budget fails, and its process continues', async () => {
  const home = await makeHome();
  const literal = '{{ cel.bind(t, padStart("",900000), split(padStart("",900),"").map(a, size(t)).size()) }}';
  const run = (inputs: object) =>
    home.api('POST', '/api/actions/run', { body: { appId: 'core', actionId: 'set', inputs } });
  const { result, longestMs } = await healthWhile(home, () => run({ values: { v: literal } }));
  expect(result.body).toMatchObject({ status: 'FAILED', error: { code: 'EXPRESSION_LIMIT' } });
  expect(result.body.error.message).toContain('values.v: ');
  expect(longestMs).toBeLessThan(MAX_MS);
});

test('a step with 20 texts of 400 MB fails before it makes any', async () => {
  const home = await makeHome();
  const text = '{{trigger.body.t}}'.repeat(400);
  const values = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, text]));
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [action('a', 'core.set', { values })],
  });
  const send = () =>
    api(home.url)('POST', `/api/webhooks/workflows/${workflowId}`, { body: { t: 'x'.repeat(1_000_000) } });
  const { result, longestMs } = await healthWhile(home, send);
  expect(result).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED' } });
  expect(result.body.detail).toContain('MAX_OUTPUT_BYTES');
  expect(longestMs).toBeLessThan(MAX_MS);
});
