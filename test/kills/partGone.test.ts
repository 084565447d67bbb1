// test: long, pglite
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo, engineStatus } from '../setup/stack/temporal.ts';
import { action, chain, question, webhook } from '../setup/workspace/graph.ts';
import { statuses, stepOf } from '../setup/workspace/home.ts';

const AWAY_MS = 10_000;
/** Longer than a busy machine needs to detect the outage and to accept the requests. */
const LONG_AWAY_MS = 20_000;

const { stack, home } = await ownHome();

async function inEveryState(serverUrl: string) {
  const after = action('after', 'core.set', { values: { done: true } });
  const workflow = (node: ReturnType<typeof action>) =>
    home.deploy({ nodes: [node, after], edges: chain(node.id, 'after') });
  const call = action('call', 'http.request', { method: 'POST', url: serverUrl });
  const retry = { maximumAttempts: 2, initialIntervalMs: 4_000 };
  const acting = await home.execute(await workflow(call));
  const asking = await home.execute(await workflow(question('ask')));
  const [flaky, expires] = [
    await workflow(action('flaky', 'testing.fail', { times: 1 }, { retry })),
    await workflow(question('ask', { expiresInMs: 4_000 })),
  ];
  // Followed from the start, because these states are short.
  const retrying = await home.execute(flaky);
  const isRetrying = home.until(retrying, (now) => now.executionPath && statuses(now).flaky === 'RETRYING');
  const expiring = await home.execute(expires);
  await Promise.all([isRetrying, home.asked(expiring, 'ask'), home.asked(asking, 'ask')]);
  return { acting, retrying, asking, expiring };
}

async function endRight(ids: Awaited<ReturnType<typeof inEveryState>>) {
  const { acting, retrying, asking, expiring } = ids;
  const ended = await Promise.all([acting, retrying, asking].map((id) => home.ended(id)));
  for (const execution of ended) {
    expect(execution).toMatchObject({ status: 'COMPLETED', output: { done: true } });
    expect(execution.executionPath).toHaveLength(2);
  }
  expect(stepOf(ended[0], 'call').attempt).toBe(1);
  expect(stepOf(ended[1], 'flaky')).toMatchObject({ attempt: 2, output: { attempt: 2 } });
  expect(await home.ended(expiring)).toMatchObject({ status: 'FAILED', statusMessage: 'ask: No answer came in time' });
}

async function heldServer() {
  const { after, goOn: answer } = gate();
  const server = await loopback((_, response) => {
    void after.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  return { ...server, answer };
}

function untilEngineAway(): Promise<void> {
  return poll(async () => (await fetch(new URL('/readyz', stack.url))).json(), {
    timeout: 9_000,
    interval: 100,
  }).toMatchObject({ ready: false, engine: false });
}

test('the database is away for 10 s: starts are refused, work that was done meanwhile is written once', async () => {
  const server = await heldServer();
  const ids = await inEveryState(server.url);
  await poll(() => server.calls.length, { timeout: 20_000 }).toBe(1);
  const workflowId = await home.deploy({ nodes: [action('a', 'core.set', { values: {} })] });

  const away = stack.holdDatabaseDown(AWAY_MS);
  const refused: { status: number; code: string; tookMs: number }[] = [];
  const deadline = Date.now() + AWAY_MS - 3_000;
  while (Date.now() < deadline) {
    const startedAt = Date.now();
    const { status, body } = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
    refused.push({ status, code: body.code, tookMs: Date.now() - startedAt });
    if (status === 503) server.answer();
    await new Promise((go) => setTimeout(go, 200));
  }
  const unavailable = refused.filter(({ status }) => status === 503);
  expect(unavailable.length).toBeGreaterThan(0);
  for (const { code } of unavailable) expect(code).toBe('DATABASE_UNAVAILABLE');
  // A restarted database may respond meanwhile; nothing else may occur.
  for (const { status } of refused) expect([201, 503]).toContain(status);
  const submitted = await home.submit(ids.asking, 'ask', { answer: 'x' }).catch(() => ({ status: 503 }));
  expect([200, 503]).toContain(submitted.status);
  await away;

  const isTaken = async () => [200, 409].includes((await home.submit(ids.asking, 'ask', { answer: 'x' })).status);
  await poll(isTaken, { timeout: 30_000 }).toBe(true);
  await endRight(ids);
  // Its response came while the database was away; it was kept and the call was not repeated.
  expect(server.calls).toHaveLength(1);
  expect((await home.ended(await home.execute(workflowId))).status).toBe('COMPLETED');
});

test('the engine is away for 20 s: starts and answers are accepted, and run when it is back', async () => {
  const server = await heldServer();
  const ids = await inEveryState(server.url);
  await poll(() => server.calls.length, { timeout: 20_000 }).toBe(1);
  const workflowId = await home.deploy({ nodes: [action('a', 'core.set', { values: { done: true } })] });
  const yearly = { id: 'trigger' as const, type: 'schedule' as const, config: { cron: '0 0 1 1 *' } };
  const scheduled = await home.deploy({ trigger: yearly, nodes: [action('a', 'core.set', { values: {} })] });
  const planned = () => home.api('GET', `/api/workflows/${scheduled}?expansion=nextScheduledExecution`);
  const hook = await home.deploy({ trigger: webhook(), nodes: [action('a', 'core.set', { values: { done: true } })] });

  const away = stack.holdTemporalDown(LONG_AWAY_MS);
  await untilEngineAway();
  const startedAt = Date.now();
  const [execute, webhooked, run, submitted, ...unavailable] = await Promise.all([
    home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} }),
    home.api('POST', `/api/webhooks/workflows/${hook}`, { body: {} }),
    home.api('POST', '/api/actions/run', {
      body: { appId: 'core', actionId: 'set', inputs: { values: { done: true } } },
    }),
    home.submit(ids.asking, 'ask', { answer: 'x' }),
    // Null would mean that nothing is scheduled.
    planned(),
    home.api('GET', '/api/workflows?expansion=nextScheduledExecution'),
    home.api('POST', `/api/workflows/${workflowId}/nodes/a/test`, { body: {} }),
  ]);
  server.answer();
  expect(Date.now() - startedAt).toBeLessThan(LONG_AWAY_MS);
  expect(execute.status).toBe(201);
  expect(webhooked.status).toBe(200);
  expect(run).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  expect(submitted.status).toBe(200);
  for (const each of unavailable) expect(each).toMatchObject({ status: 503, body: { code: 'ENGINE_UNAVAILABLE' } });
  expect((await home.api('GET', '/api/workflows')).status).toBe(200);
  expect(await home.submit(ids.asking, 'ask', { answer: 'y' })).toMatchObject({ status: 409 });
  await away;
  // Just after its start, Temporal accepts calls without having its data.
  expect([200, 503]).toContain((await planned()).status);
  const next = async () => (await planned()).body.nextScheduledExecution;
  await poll(next, { timeout: 60_000 }).toMatch(/-01-01T00:00:00\.000Z$/);

  const started = [execute.body.executionId, webhooked.headers.get('x-execution-id'), run.body.executionId];
  for (const id of started) {
    expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
  }
  await endRight(ids);
});

test('the engine is away for 20 s: requests to end are accepted, and what has not begun never runs', async () => {
  const server = await loopback((_, response) => response.writeHead(200).end());
  const effect = await home.deploy({ nodes: [action('call', 'http.request', { method: 'POST', url: server.url })] });
  const asking = await home.deploy({ nodes: [question('ask')] });
  const open = [await home.execute(asking), await home.execute(asking), await home.execute(asking)] as const;
  for (const id of open) await home.asked(id, 'ask');
  const end = (id: string, how: 'cancel' | 'terminate', reason: string) =>
    home.api('POST', `/api/executions/${id}/${how}`, { body: { reason } });
  const reads = (id: string) => home.read(id, 'status,statusMessage,cancelRequestedAt');

  const away = stack.holdTemporalDown(LONG_AWAY_MS);
  await untilEngineAway();
  const started = await Promise.all(Array.from({ length: 4 }, () => home.execute(effect)));
  const [first, second, ...others] = started as [string, string, string, string];
  expect(await reads(first)).toMatchObject({ status: 'PENDING', cancelRequestedAt: null });

  const answers = await Promise.all([
    end(first, 'cancel', 'Not today'),
    end(second, 'terminate', 'Not today'),
    end(open[0], 'cancel', 'Enough'),
    end(open[1], 'terminate', 'Enough'),
  ]);
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
    ...[
      [200, 'CANCELLED'],
      [200, 'CANCELLED'],
    ],
    ...[
      [200, 'NEEDS_INPUT'],
      [200, 'NEEDS_INPUT'],
    ],
  ]);
  // A termination replaces a cancellation, with the time and reason of the first request.
  const requested = (await reads(open[0])).cancelRequestedAt;
  expect((await end(open[0], 'terminate', 'Later')).status).toBe(200);
  expect(await reads(open[0])).toMatchObject({ cancelRequestedAt: requested, status: 'NEEDS_INPUT' });
  const bulk = { executionIds: [...others, open[2]], reason: 'All of it' };
  const { status, body } = await home.api('POST', '/api/executions/bulk/cancel', { body: bulk });
  expect([status, body]).toEqual([200, { matched: 3, accepted: 3, failed: [], remaining: 0 }]);
  await stack.killMain();
  await away.catch(() => undefined);
  await stack.startAgain();

  const reasons = { 'Not today': [first, second], 'All of it': [...others, open[2]], Enough: [open[0], open[1]] };
  for (const [statusMessage, ids] of Object.entries(reasons)) {
    for (const id of ids) {
      const ended = await home.ended(id);
      expect(ended).toMatchObject({ status: 'CANCELLED', statusMessage });
      expect((await reads(id)).cancelRequestedAt).toMatch(/Z$/);
    }
  }
  const connection = await connectionTo(stack.temporalAddress);
  const engineSays = async (id: string) => engineStatus(id, new Client({ connection }));
  await poll(() => engineSays(open[0]).catch(() => 'absent'), { timeout: 30_000 }).toBe('TERMINATED');
  for (const id of started)
    await poll(() => engineSays(id).catch(() => 'absent'), { timeout: 30_000 }).toBe('TERMINATED');
  await connection.close();
  expect(server.calls).toEqual([]);
});
