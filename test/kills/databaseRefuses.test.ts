// test: long, pglite
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, control, type Graph, manual, question } from '../setup/workspace/graph.ts';
import { stepOf } from '../setup/workspace/home.ts';

const TIMEOUT_MS = { done: 3_000, due: 5_000 };
/**
 * How long the database rejects writes and then is down: in total longer than an activity used to survive. Long form:
 * DATABASE_AWAY_MS=120000.
 */
const AWAY_MS = Number(process.env.DATABASE_AWAY_MS ?? 18_000);

const { stack, home } = await ownHome();

const RETRY = { maximumAttempts: 3, initialIntervalMs: 1_000 };
const after = action('after', 'core.set', { values: { done: true } });

function calling(url: string, timeoutMs: number): Graph {
  const call = action('call', 'http.request', { method: 'POST', url }, { timeoutMs, retry: RETRY });
  return { nodes: [call, after], edges: chain('call', 'after') };
}

test(
  'a database that refuses and then is gone, longer than any time of the action: called once, completed',
  async () => {
    let refused: (() => void) | undefined;
    const refuses = new Promise<void>((go) => {
      refused = go;
    });
    const done = await loopback((_, response) => {
      void stack.refuseWrites(true).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        refused?.();
      });
    });
    const due = await loopback();
    const dueGraph: Graph = {
      trigger: manual(),
      nodes: [
        action('first', 'testing.fail', { times: 1 }, { retry: { ...RETRY, initialIntervalMs: 4_000 } }),
        ...calling(due.url, TIMEOUT_MS.due).nodes,
      ],
      edges: chain('first', 'call', 'after'),
    };
    const waiting = await home.execute(await home.deploy(dueGraph));
    await home.until(waiting, (now) =>
      now.executionPath?.some((step: { status: string }) => step.status === 'RETRYING'),
    );
    const other = await home.deploy({ nodes: [after] });
    const start = () => home.api('POST', `/api/executions/workflows/${other}/execute`, { body: {} });
    const executionId = await home.execute(await home.deploy(calling(done.url, TIMEOUT_MS.done)));
    await refuses;

    expect(await start()).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } });
    // Reads work. The database may have rejected writes before RUNNING was written.
    expect((await home.read(executionId)).status).toMatch(/^(PENDING|RUNNING)$/);
    await sleep(AWAY_MS);
    expect(await start()).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } });
    const gone = stack.holdDatabaseDown(AWAY_MS);
    await stack.refuseWrites(false).catch(() => undefined);
    await gone;
    await poll(async () => (await start()).status, { timeout: 30_000 }).toBe(201);

    const ended = await home.ended(executionId);
    expect(ended).toMatchObject({ status: 'COMPLETED', output: { done: true } });
    expect(stepOf(ended, 'call').attempt).toBe(1);
    expect(done.calls).toHaveLength(1);
    expect(await home.ended(waiting)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
    expect(due.calls).toHaveLength(1);
  },
  120_000 + 2 * AWAY_MS,
);

/** More than twice the events that the server buffers by default during a workflow task. */
const SIGNALS = 250;

test('many events while a workflow waits for its database do not fail its workflow task', async () => {
  const connection = await connectionTo(stack.temporalAddress);
  try {
    const pause = control('pause', 'delay', { forMs: 3_000 });
    const executionId = await home.execute(
      await home.deploy({ nodes: [pause, question('ask')], edges: chain('pause', 'ask') }),
    );
    await home.until(executionId, ({ status }) => status === 'WAITING');
    const handle = new Client({ connection }).workflow.getHandle(executionId);
    const events = async () => (await handle.fetchHistory()).events ?? [];
    const isUnderWay = async () => (await events()).some((event) => event.timerFiredEventAttributes);
    await stack.refuseWrites(true);
    // Its task is running now: it ends when the row can be written.
    await poll(isUnderWay).toBe(true);
    await Promise.all(Array.from({ length: SIGNALS }, () => handle.signal('unknown')));
    await stack.refuseWrites(false).catch(() => undefined);

    await home.asked(executionId, 'ask');
    expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(200);
    expect((await home.ended(executionId)).status).toBe('COMPLETED');
    const all = await events();
    const named = all.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName);
    expect(named.filter((name) => name === 'unknown')).toHaveLength(SIGNALS);
    expect(all.flatMap((event) => event.workflowTaskFailedEventAttributes?.cause ?? [])).toEqual([]);
  } finally {
    await connection.close();
  }
});
