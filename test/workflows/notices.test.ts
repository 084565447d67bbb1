import { expect, test } from '@jest/globals';
import { canListen } from '../../prisma/store/database/capabilities.ts';
import { eventsOf } from '../setup/api/events.ts';
import { followWorkspace } from '../setup/api/workspaceEvents.ts';
import { listenToAll } from '../setup/database/notices.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import { action, chain, control, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

// Postgres serializes commits of transactions that notify, and each listener receives all notifications, so only
// awaited changes are notified. On PGlite one process reads and writes, and nothing is notified.

const LONG = {
  nodes: [
    action('far', 'testing.succeed', { output: 1 }),
    control('wait', 'delay', { forMs: 300 }),
    action('again', 'testing.fail', { times: 1 }, { retry: { maximumAttempts: 2, initialIntervalMs: 50 } }),
    control('each', 'forEach', { items: [1, 2, 3] }),
    action('inner', 'testing.succeed', { output: '{{ loop.item }}' }, { parentId: 'each' }),
    control('pause', 'delay', { forMs: 300 }),
    action('end', 'core.set', { values: {} }),
  ],
  edges: chain('far', 'wait', 'again', 'each', 'pause', 'end'),
};

async function endedUnseen(home: Home, executionId: string): Promise<void> {
  const status = async () => (await home.api('GET', `/api/executions/${executionId}?expansion=status`)).body.status;
  await poll(status, { timeout: 60_000, interval: 100 }).toBe('COMPLETED');
}

test('an execution that nobody follows or waits for notifies once, whatever it does', async () => {
  const home = await makeHome();
  const heard = await listenToAll(inject('stack').databaseUrl);
  const executionId = await home.execute(await home.deploy(LONG));
  await endedUnseen(home, executionId);
  // Its first wait admits the next start.
  expect(await heard.of(executionId, home.workspaceId)).toEqual(['WAITING']);
  const { revision } = await stackDatabase().execution.findUniqueOrThrow({ where: { id: executionId } });
  expect(revision).toBeGreaterThan(8);
});

test('one that waits for nothing notifies of its end, and one that asks of its question', async () => {
  const home = await makeHome();
  const heard = await listenToAll(inject('stack').databaseUrl);
  const quick = await home.execute(
    await home.deploy({
      nodes: [action('a', 'testing.succeed'), action('b', 'testing.succeed')],
      edges: chain('a', 'b'),
    }),
  );
  await endedUnseen(home, quick);
  expect(await heard.of(quick)).toEqual(['COMPLETED']);
  const asking = await home.execute(
    await home.deploy({ nodes: [question('ask'), action('b', 'testing.succeed')], edges: chain('ask', 'b') }),
  );
  const isOpen = () => stackDatabase().pendingInput.count({ where: { executionId: asking, status: 'OPEN' } });
  await poll(isOpen).toBe(1);
  await home.submit(asking, 'ask', { answer: 'x' });
  await endedUnseen(home, asking);
  expect(await heard.of(asking)).toEqual(['NEEDS_INPUT']);
});

test('sub-workflows notify of nothing: no admission queue starts them', async () => {
  const home = await makeHome();
  const heard = await listenToAll(inject('stack').databaseUrl);
  const child = await home.deploy({
    nodes: [action('a', 'testing.succeed'), control('d', 'delay', { forMs: 100 })],
    edges: chain('a', 'd'),
  });
  const parent = await home.execute(
    await home.deploy({
      nodes: [
        control('each', 'forEach', { items: [1, 2] }),
        control('run', 'runWorkflow', { workflowId: child }, { parentId: 'each' }),
      ],
    }),
  );
  await endedUnseen(home, parent);
  const children = await stackDatabase().execution.findMany({ where: { parentExecutionId: parent } });
  expect(children).toHaveLength(2);
  expect(await heard.of(...children.map(({ id }) => id))).toEqual([]);
  expect(await heard.of(parent)).toHaveLength(1);
});

test('a caller that waits for the answer is notified of the end, after whatever waits', async () => {
  const home = await makeHome();
  const heard = await listenToAll(inject('stack').databaseUrl);
  const workflowId = await home.deploy({ ...LONG, trigger: webhook({ respond: 'whenFinished' }) });
  const response = await fetch(new URL(`/api/webhooks/workflows/${workflowId}`, home.url), { method: 'POST' });
  expect(response.status).toBe(200);
  const statuses = await heard.of(String(response.headers.get('x-execution-id')));
  expect(statuses.at(-1)).toBe('COMPLETED');
  expect(statuses.filter((status) => status === 'RUNNING')).toEqual([]);
});

test('a follower of an execution, or of its workspace, hears of each change at once', async () => {
  const isNotified = await canListen(stackDatabase());
  const home = await makeHome();
  const heard = await listenToAll(inject('stack').databaseUrl);
  const workflowId = await home.deploy(LONG);
  const executionId = await home.execute(workflowId);
  const events: string[] = [];
  for await (const { event } of eventsOf(home.api, executionId)) events.push(event);
  expect(events.at(-1)).toBe('execution.finished');
  expect(events.length).toBeGreaterThan(3);
  if (isNotified) expect((await heard.of(executionId)).length).toBeGreaterThan(4);

  const stream = await followWorkspace(home.url, home.apiKey);
  const other = await home.execute(workflowId);
  const last = () => stream.data('execution.changed').findLast(({ id }) => id === other)?.status;
  await poll(last, { timeout: 30_000 }).toBe('COMPLETED');
  stream.close();
  if (isNotified) expect((await heard.of(other)).length).toBeGreaterThan(8);
});
