// test: long
import { expect, test } from '@jest/globals';
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

const { stack, home } = await ownHome({ environment: { DRAIN_TIMEOUT_MS: '2000' } });
const testOfKill = sharedKill(stack);

async function begin(what: string, inputs: object = {}): Promise<string> {
  const workflowId = await home.deploy({ nodes: [action('call', what, inputs as never, RETRY)] });
  return home.execute(workflowId);
}

/** An app of an MCP server with a repeatable tool, `look`, and another one, `pay`. It answers after `answerNow`. */
async function makeShop(slug: string) {
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
  const app = { slug, runs: { on: 'mcp', url, tools: digests }, actions, connectionTypes };
  const { status } = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: app });
  expect(status).toBe(200);
  const answerNow = () => {
    answersNow = true;
  };
  return { calls, answerNow };
}

const LOST = {
  status: 'FAILED',
  executionPath: [{ attempt: 1, error: { code: 'ANSWER_LOST', message: expect.stringContaining('look there') } }],
};

testOfKill('a tool that must not be repeated was called once, and its step says so', async ({ kill }) => {
  const { calls, answerNow } = await makeShop('shop');
  const [look, pay] = [await begin('shop.look'), await begin('shop.pay')];
  await poll(() => [...calls].sort(), PATIENCE).toEqual(['look', 'pay']);
  answerNow();
  await kill();
  expect(await home.ended(look)).toMatchObject({ status: 'COMPLETED' });
  expect(await home.ended(pay)).toMatchObject(LOST);
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

test('a worker that stops in the middle of a call does not repeat it either', async () => {
  const { calls, answerNow } = await makeShop('stopping');
  const pay = await begin('stopping.pay');
  await poll(() => calls.length, PATIENCE).toBe(1);
  answerNow();
  await stack.stop();
  await stack.startAgain();
  expect(await home.ended(pay)).toMatchObject(LOST);
  expect(calls).toEqual(['pay']);
});
