// test: long
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import type { PollConfig } from '../../domain/workflow/definition.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action } from '../setup/workspace/graph.ts';
import type { Home } from '../setup/workspace/home.ts';
import { neighbourOn } from '../setup/workspace/neighbour.ts';

const AT_ONCE = 4;
const WAITING = 8;
const MANY = 200;
const PATIENCE = { timeout: 60_000, interval: 100 };

const { stack, home } = await ownHome({
  environment: {
    POLLS_AT_ONCE: String(AT_ONCE),
    POLL_TIMEOUT_MS: '300000',
    NODE_TESTS_AT_ONCE: String(AT_ONCE),
    NODE_TESTS_WAITING: String(WAITING),
  },
});
const neighbour = await neighbourOn(stack);

async function slowServer() {
  const held = new Set<() => void>();
  let isOpen = false;
  const { url } = await loopback((call, response) => {
    const answer = () => {
      held.delete(answer);
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    };
    response.on('close', () => held.delete(answer));
    if (isOpen || call.url !== '/held') return answer();
    held.add(answer);
  });
  return {
    url,
    inside: () => held.size,
    open() {
      isOpen = true;
      for (const answer of [...held]) answer();
    },
  };
}

/** Deploys a workflow that polls the URL. Its schedule does not fire during the test. */
function polling(of: Home, url: string): Promise<string> {
  const config: PollConfig = { appId: 'http', triggerId: 'poll', inputs: { url }, everyMs: 366 * 86_400_000 };
  const trigger = { id: 'trigger' as const, type: 'poll' as const, config };
  return of.deploy({ trigger, nodes: [action('show', 'core.transform', { value: 1 })] });
}

test('a workspace with hundreds of polls holds up no poll and no action of another, and all of its own are made', async () => {
  const slow = await slowServer();
  const connection = await connectionTo(stack.temporalAddress);
  onTestFinished(() => connection.close());
  const { workflow } = new Client({ connection });
  const look = ({ workspaceId }: Home, workflowId: string, at: number): Promise<string> =>
    workflow.execute('runPoll', {
      workflowId: `poll-${workflowId}-${at}`,
      taskQueue: 'perdure',
      args: [{ workspaceId, workflowId }],
    });
  const slowly = await polling(home, `${slow.url}/held`);
  const many = Array.from({ length: MANY }, (_, at) => look(home, slowly, at));
  await poll(slow.inside, PATIENCE).toBe(AT_ONCE / 2);

  const quickly = await polling(neighbour, `${slow.url}/quick`);
  for (let at = 0; at < 5; at += 1) expect(await look(neighbour, quickly, at)).toBe('POLLED 0');
  const quick = { nodes: [action('a', 'testing.succeed', { output: 1 })] };
  for (const each of [neighbour, home]) expect((await each.run(quick)).status).toBe('COMPLETED');
  expect(slow.inside()).toBe(AT_ONCE / 2);

  slow.open();
  expect(new Set(await Promise.all(many))).toEqual(new Set(['POLLED 0']));
});

test('a workspace with hundreds of node tests holds up none of another; beyond the line they are 429', async () => {
  const slow = await slowServer();
  const call = action('call', 'http.request', { method: 'GET', url: `${slow.url}/held` }, { timeoutMs: 60_000 });
  const workflowId = await home.deploy({ nodes: [call] });
  const answers: { status: number; code: string | undefined; retryAfter: string | null }[] = [];
  const ask = async () => {
    const { status, body, headers } = await home.api('POST', `/api/workflows/${workflowId}/nodes/call/test`, {
      body: {},
    });
    answers.push({ status, code: body.code, retryAfter: headers.get('retry-after') });
  };
  const many = Array.from({ length: MANY }, ask);
  const admitted = AT_ONCE / 2 + WAITING / 2;
  await poll(() => answers.length, PATIENCE).toBe(MANY - admitted);
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ status: 429, code: 'RATE_LIMITED', retryAfter: '1' })]),
  );
  await poll(slow.inside, PATIENCE).toBe(AT_ONCE / 2);

  const quick = await neighbour.deploy({ nodes: [action('a', 'testing.succeed', { output: 1 })] });
  for (let round = 0; round < 3; round += 1) {
    const tested = await neighbour.api('POST', `/api/workflows/${quick}/nodes/a/test`, { body: {} });
    expect(tested).toMatchObject({ status: 200, body: { status: 'COMPLETED', output: 1 } });
  }
  expect([slow.inside(), answers.length]).toEqual([AT_ONCE / 2, MANY - admitted]);

  slow.open();
  await Promise.all(many);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(admitted);
});
