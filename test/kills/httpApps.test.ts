// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action } from '../setup/workspace/graph.ts';

const { stack, home } = await ownHome();

test('a call that a killed worker was asking about is posted again, under the same key', async () => {
  let isDone = false;
  const { url, calls } = await loopback(({ method }, response) => {
    if (method === 'POST') response.writeHead(202, { location: '/jobs/1' }).end();
    else if (isDone) response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":{"printed":true}}');
    else response.writeHead(202, { 'retry-after': '1' }).end();
  });
  const app = {
    slug: 'printer',
    runs: { on: 'http', baseUrl: url },
    actions: [{ actionId: 'print', repeatable: true }],
  };
  const upserted = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: app });
  expect(upserted.status).toBe(200);
  const workflowId = await home.deploy({
    nodes: [action('print', 'printer.print', {}, { retry: { maximumAttempts: 3 } })],
  });
  const executionId = await home.execute(workflowId);
  await poll(() => calls.some(({ method }) => method === 'GET'), { timeout: 30_000 }).toBe(true);
  await stack.killMain();
  isDone = true;
  await stack.startAgain();
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED' });
  const keys = calls.filter(({ method }) => method === 'POST').map(({ headers }) => headers['webhook-id']);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});
