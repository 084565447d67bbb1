import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { withFunctionApps } from '../../cli/functions/functionApps.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const CONNECTION = { connectionId: 'key', type: 'apiKey', fields: [{ key: 'apiKey', type: 'secret', required: true }] };

/** Bundles a file as `apply` does, and stores its app. */
async function upsertFunctions(home: Home, slug: string, source: string, more: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-functions-'));
  try {
    await mkdir(join(folder, 'functions'));
    await writeFile(
      join(folder, `functions/${slug}.ts`),
      `import { defineAction } from 'perdure-client/functions';\n${source}`,
    );
    const { stored, contents, problems } = await withFunctionApps(folder, new Map());
    expect(problems).toEqual([]);
    for (const [digest, code] of contents) {
      const put = await fetch(`${home.url}/api/apps/contents/${digest}`, {
        ...{ method: 'PUT', body: code },
        headers: { 'x-api-key': home.apiKey, 'content-type': 'application/octet-stream' },
      });
      expect(put.status).toBe(200);
    }
    const [[{ kind: _, ...app } = { kind: '' }] = []] = stored.values();
    return await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: { ...app, ...more } });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function stepOf({ executionPath }: { executionPath: { nodeId: string }[] }) {
  return executionPath[0];
}

test('a step runs a function: inputs, call, HTTP, output, and its console without secrets', async () => {
  const home = await makeHome();
  const { url, calls } = await loopback((_, response) => void response.end('{"stock":3}'));
  const { status } = await upsertFunctions(
    home,
    'shop',
    `export const reserve = defineAction({
      name: 'Reserve',
      inputs: { fields: [{ key: 'url', type: 'text', required: true }, { key: 'count', type: 'number', default: 2 }] },
      requiresConnection: true,
      async run({ url, count }, call) {
        const key = call.connection!.credentials.apiKey!;
        console.log('reserving', count, 'with', key);
        const answer = await fetch(url, { method: 'POST', body: '{}', headers: { 'idempotency-key': call.idempotencyKey } });
        return { ...(await answer.json() as object), count, attempt: call.attempt, keyLength: key.length };
      },
    });`,
    { connectionTypes: [CONNECTION] },
  );
  expect(status).toBe(200);
  const connected = await home.api('POST', '/api/workflow-apps/shop/connections/key/connect', {
    body: { name: 'Shop', credentials: { apiKey: 'sk-very-secret' } },
  });
  expect(connected.status).toBe(200);
  const ended = await home.run({
    nodes: [action('r', 'shop.reserve', { url })],
    edges: chain('trigger', 'r'),
    output: '{{ steps.r.output }}',
  });
  expect(ended).toMatchObject({ status: 'COMPLETED', output: { stock: 3, count: 2, attempt: 1, keyLength: 14 } });
  expect(calls[0]?.headers['idempotency-key']).toMatch(/.+/);
  const text = JSON.stringify(ended.executionPath);
  expect(text).toContain('reserving 2 with');
  expect(text).not.toContain('sk-very-secret');
});

test('a thrown error is the failure of its step, and is retried if it says so', async () => {
  const home = await makeHome();
  await upsertFunctions(
    home,
    'flaky',
    `export const once = defineAction({ name: 'Once', run(_, { attempt }) {
        if (attempt === 1) throw Object.assign(new Error('busy'), { code: 'SHOP_BUSY', retryable: true, retryAfterMs: 1 });
        return attempt;
      } });
      export const never = defineAction({ name: 'Never', run() {
        throw Object.assign(new Error('no stock'), { code: 'NO_STOCK', details: { sku: 'x' } });
      } });`,
  );
  const retry = { maximumAttempts: 3 };
  const once = await home.run({
    ...{ nodes: [action('a', 'flaky.once', {}, { retry } as never)], edges: chain('trigger', 'a') },
    output: '{{ steps.a.output }}',
  });
  expect(once).toMatchObject({ status: 'COMPLETED', output: 2 });
  const never = await home.run({ nodes: [action('a', 'flaky.never')], edges: chain('trigger', 'a') });
  expect(stepOf(never)).toMatchObject({ status: 'FAILED', error: { code: 'NO_STOCK', details: { sku: 'x' } } });
  expect(JSON.stringify(never)).toMatch(/no stock \(functions\/flaky\.ts:7:\d+\)/);
});

test('a time limit ends a function that hangs; the next call has a new process', async () => {
  const home = await makeHome();
  await upsertFunctions(
    home,
    'slow',
    `export const hang = defineAction({ name: 'Hang', run() { for (;;); } });
     export const ping = defineAction({ name: 'Ping', run: () => 'pong' });`,
  );
  const hang = await home.run({
    nodes: [action('a', 'slow.hang', {}, { timeoutMs: 500 })],
    edges: chain('trigger', 'a'),
  });
  expect(stepOf(hang)).toMatchObject({ status: 'FAILED', error: { code: 'TIMEOUT' } });
  const ping = await home.run({
    ...{ nodes: [action('a', 'slow.ping')], edges: chain('trigger', 'a') },
    output: '{{ steps.a.output }}',
  });
  expect(ping).toMatchObject({ status: 'COMPLETED', output: 'pong' });
});
