import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { makeQueue } from '../setup/workspace/queue.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

// The retentions of queue items, tasks and state changes, as the sweeps of the stack apply them (test/setup/stack/ownStack.ts: only
// rows that a test has made so old).

const onOwnSettings = process.env.PERDURE_TEST_STACK === 'production' ? test.skip : test;
const PATIENCE = { timeout: 50_000, interval: 200 };
/** Older than the setting. */
const OLD = '35000 days';

onOwnSettings('ended queue items go, and their externalId is free again', async () => {
  const queue = await makeQueue();
  const ids: string[] = [];
  for (const status of ['COMPLETED', 'CANCELLED', 'COMPLETED', 'PENDING']) {
    const { id } = await queue.add({ externalId: `order-${ids.length}` });
    if (status === 'COMPLETED') await queue.move(id, 'PROCESSING');
    if (status !== 'PENDING') expect((await queue.move(id, status)).status).toBe(200);
    ids.push(id);
  }
  const [old, cancelled, young, open] = ids as [string, string, string, string];
  await stackDatabase().$executeRaw`
    UPDATE queue_items SET created_at = created_at - ${OLD}::interval,
      processing_completed_at = processing_completed_at - ${OLD}::interval
    WHERE id = ANY (${[old, cancelled, open]}::uuid[])`;
  const read = async (id: string) => (await queue.own('GET', `${queue.path}/items/${id}`)).status;
  await poll(() => Promise.all([read(old), read(cancelled)]), PATIENCE).toEqual([404, 404]);
  expect(await Promise.all([read(young), read(open)])).toEqual([200, 200]);
  const { body } = await queue.own('GET', `${queue.path}/stats`);
  expect(body).toMatchObject({ total: 2, counts: { COMPLETED: 1, PENDING: 1, CANCELLED: 0 } });
  expect(await queue.add({ externalId: 'order-0' })).not.toMatchObject({ isDuplicate: true });
});

onOwnSettings('an old task goes, with nothing of it left in the engine; one that waits or runs stays', async () => {
  const home = await makeAgentHome({ tools: [tool('http', 'request', { policy: 'approve' })] });
  const asks = callTools({ id: 'c', name: 'http_request', arguments: { method: 'GET', url: 'http://127.0.0.1:9/' } });
  home.provider.answer([...say('Done')], [...say('Done')], asks, [{ hang: true }]);
  expect((await home.send('old', 'Hi')).status).toBe(200);
  expect((await home.send('young', 'Hi')).status).toBe(200);
  await home.send('waits', 'Hi');
  const running = await home.stream('runs', { message: userMessage('Hi') });
  await home.untilTurn('waits', ({ status }) => status === 'NEEDS_APPROVAL');
  await home.untilTurn('runs', ({ status }) => status === 'RUNNING');
  const { id: runId } = await home.turn('old');
  await stackDatabase().$executeRaw`
    UPDATE tasks SET last_activity_at = now() - ${OLD}::interval
    WHERE workspace_id = ${home.workspaceId}::uuid AND client_id <> 'young'`;
  const read = async (task: string) => (await home.api('GET', `/api/tasks/${task}`)).status;
  await poll(() => read('old'), PATIENCE).toBe(404);
  for (const task of ['young', 'waits', 'runs']) expect([task, await read(task)]).toEqual([task, 200]);
  const { status } = await (await stackTemporal()).workflow.getHandle(runId).describe();
  expect(status.name).toBe('COMPLETED');
  await home.stop('runs');
  expect(await running.done).toBe(true);
});

onOwnSettings('old state changes go, but for the newest of an entity', async () => {
  const desk = await orderDesk();
  const { body } = await desk.create({ name: 'Order', attributes: { total: 1, approvedBy: 'Ann' } });
  const path = `/api/objects/${body.id}`;
  for (const state of ['approved', 'cancelled']) {
    expect((await desk.post(`${path}/state`, { state, reason: 'Tested' })).status).toBe(201);
  }
  const history = async () => (await desk.get(`${path}/state/history`)).body.map(({ to }: { to: string }) => to);
  expect(await history()).toEqual(['cancelled', 'approved']);
  await stackDatabase().$executeRaw`
    UPDATE object_state_changes SET changed_at = changed_at - ${OLD}::interval WHERE object_id = ${body.id}::uuid`;
  await poll(history, PATIENCE).toEqual(['cancelled']);
  expect((await desk.get(path)).body).toMatchObject({ state: 'cancelled' });
});
