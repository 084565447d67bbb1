// test: long
import { expect } from '@jest/globals';
import { importedTools } from '../../domain/mcp/toolAction.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { said, startMcpServer } from '../setup/providers/mcpServer.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { sharedKill } from '../setup/stack/sharedKill.ts';
import { action } from '../setup/workspace/graph.ts';

// A worker that is killed loses the answers of its calls.

const PATIENCE = { timeout: 60_000 };
const RETRY = { retry: { maximumAttempts: 3, initialIntervalMs: 10 } };

const { stack, home } = await ownHome();
const testOfKill = sharedKill(stack);

async function begin(what: string, inputs: object = {}): Promise<string> {
  const workflowId = await home.deploy({ nodes: [action('call', what, inputs as never, RETRY)] });
  return home.execute(workflowId);
}

testOfKill('a tool that must not be repeated was called once, and its step says so', async ({ kill }) => {
  const calls: string[] = [];
  let answersNow = false;
  const tools = ['look', 'pay'].map((name) => ({
    ...{ name, inputSchema: { type: 'object' as const } },
    annotations: { idempotentHint: name === 'look' },
  }));
  const { url } = await startMcpServer({
    tools,
    answer: ({ name }) => {
      calls.push(name);
      return answersNow ? said(name) : new Promise(() => undefined);
    },
  });
  const { actions, tools: digests, connectionTypes } = importedTools(tools);
  const app = { slug: 'shop', runs: { on: 'mcp', url, tools: digests }, actions, connectionTypes };
  const { status } = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: app });
  expect(status).toBe(200);
  const [look, pay] = [await begin('shop.look'), await begin('shop.pay')];
  await poll(() => [...calls].sort(), PATIENCE).toEqual(['look', 'pay']);
  answersNow = true;
  await kill();
  expect(await home.ended(look)).toMatchObject({ status: 'COMPLETED' });
  const lost = await home.ended(pay);
  expect(lost).toMatchObject({
    status: 'FAILED',
    executionPath: [{ attempt: 1, error: { code: 'ANSWER_LOST', message: expect.stringContaining('look there') } }],
  });
  expect(calls.sort()).toEqual(['look', 'look', 'pay']);
});

testOfKill('a request is sent again under the same key', async ({ kill }) => {
  const keys: unknown[] = [];
  let answersNow = false;
  const { url } = await loopback(({ headers }, response) => {
    keys.push(headers['idempotency-key']);
    if (answersNow) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const execution = await begin('http.request', { method: 'POST', url, body: {} });
  await poll(() => keys.length, PATIENCE).toBe(1);
  answersNow = true;
  await kill();
  expect(await home.ended(execution)).toMatchObject({ status: 'COMPLETED' });
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});
