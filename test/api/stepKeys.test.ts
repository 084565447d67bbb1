import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const json = { 'content-type': 'application/json' };

test('another service receives one Idempotency-Key for each step, which reveals nothing about the execution', async () => {
  const home = await makeHome();
  const server = await loopback(
    (_, response, index) => void response.writeHead(index === 0 ? 503 : 200, json).end('{}'),
  );
  const retry = { maximumAttempts: 2, initialIntervalMs: 10 };
  const post = (id: string) => action(id, 'http.request', { method: 'POST', url: server.url }, { retry });
  const workflowId = await home.deploy({ nodes: [post('first'), post('second')], edges: chain('first', 'second') });
  const ids: string[] = [];
  for (let round = 0; round < 2; round++) {
    const executionId = await home.execute(workflowId);
    ids.push(executionId);
    expect((await home.ended(executionId)).status).toBe('COMPLETED');
  }
  const keys = server.calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(5);
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(4);
  // The id must not appear in header, address or body, because it grants the right to answer questions.
  for (const id of ids) expect(JSON.stringify(server.calls)).not.toContain(id);
});

test('a redirect to another origin does not take the key along', async () => {
  const home = await makeHome();
  const other = await loopback();
  const server = await loopback(
    (_, response) => void response.writeHead(307, { location: `${other.url}/moved` }).end(),
  );
  const body = { order: 17 };
  const call = action('call', 'http.request', { method: 'POST', url: server.url, body });
  expect((await home.run({ nodes: [call] })).status).toBe('COMPLETED');
  expect(server.calls[0]?.headers['idempotency-key']).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(other.calls[0]).toMatchObject({ url: '/moved', body: JSON.stringify(body) });
  expect(other.calls[0]?.headers).not.toHaveProperty('idempotency-key');
});
