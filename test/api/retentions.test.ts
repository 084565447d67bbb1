import { describe, expect, test } from '@jest/globals';
import { deleteOldExecutions } from '../../prisma/store/execution/deleteOldExecutions.ts';
import { insertLoopSteps } from '../setup/database/loopRows.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { makeQueue } from '../setup/workspace/queue.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

describe('items, tasks and state changes', () => {
  // The stack's sweeps apply these retentions, but delete only rows that a test has aged
  // (test/setup/stack/ownStack.ts).

  const onOwnSettings = process.env.PERDURE_TEST_STACK === 'production' ? test.skip : test;
  const PATIENCE = { timeout: 50_000, interval: 200 };
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
});

describe('executions', () => {
  /** Older than all else in the stack, younger than what its reconciler deletes (test/setup/stack/ownStack.ts). */
  const DAYS = 32_000;

  test('old executions go with all that is theirs, in bounded batches, and none that an open one needs', async () => {
    const home = await makeHome();
    const database = stackDatabase();
    const quick = await home.deploy({ nodes: [action('a', 'core.set', { values: { x: 1 } })] });
    const asking = await home.deploy({
      nodes: [question('ask'), action('a', 'core.set', { values: {} })],
      edges: chain('ask', 'a'),
    });
    const ended = async () => (await home.ended(await home.execute(quick))).id as string;
    const [old, large, young, parent, child, tried, delivered] = [
      await ended(),
      await ended(),
      await ended(),
      await ended(),
      await ended(),
      await ended(),
      await ended(),
    ];
    const answered = await home.execute(asking);
    await home.asked(answered, 'ask');
    await home.submit(answered, 'ask', { answer: 'x' });
    await home.ended(answered);
    const open = await home.execute(asking);
    await home.asked(open, 'ask');
    await insertLoopSteps(
      database,
      { workspaceId: home.workspaceId, executionId: large },
      { prefix: 'l:', nodeId: 'n', iterations: 25 },
    );
    await database.$executeRaw`
    INSERT INTO execution_iterations (execution_id, loop_key, index, workspace_id, status, output)
    SELECT ${large}::uuid, 'l', i, ${home.workspaceId}::uuid, 'COMPLETED', to_jsonb(i) FROM generate_series(0, 44) AS i`;
    const all = [old, large, parent, child, tried, delivered, answered, open];
    await database.$executeRaw`
    UPDATE executions SET stopped_at = now() - interval '33000 days' WHERE id = ANY (${all}::uuid[]) AND stopped_at IS NOT NULL`;
    await database.$executeRaw`UPDATE executions SET parent_execution_id = ${parent}::uuid WHERE id = ${open}::uuid`;
    await database.$executeRaw`UPDATE executions SET parent_execution_id = ${open}::uuid WHERE id = ${child}::uuid`;
    await database.$executeRaw`UPDATE executions SET retry_of_id = ${tried}::uuid WHERE id = ${young}::uuid`;
    await database.$executeRaw`
    INSERT INTO webhook_deliveries (workspace_id, workflow_id, key_hash, execution_id, expires_at)
    VALUES (${home.workspaceId}::uuid, ${quick}::uuid, 'k', ${delivered}::uuid, now() + interval '1 hour')`;

    let rounds = 0;
    for (;;) {
      const most = { executions: 2, steps: 10, iterations: 10 };
      const { executions, steps, iterations } = await deleteOldExecutions(database, DAYS, most);
      expect(executions).toBeLessThanOrEqual(2);
      expect(steps).toBeLessThanOrEqual(10);
      expect(iterations).toBeLessThanOrEqual(10);
      if (executions === 0 && steps === 0 && iterations === 0) break;
      rounds += 1;
    }
    expect(rounds).toBeGreaterThanOrEqual(5);
    for (const id of [old, large, answered]) expect((await home.api('GET', `/api/executions/${id}`)).status).toBe(404);
    for (const id of [young, parent, child, tried, delivered, open])
      expect((await home.read(id)).executionPath.length).toBeGreaterThan(0);
    const [left] = await database.$queryRaw<{ count: number }[]>`
    SELECT ((SELECT count(*) FROM execution_steps WHERE execution_id = ANY (${[old, large, answered]}::uuid[]))
      + (SELECT count(*) FROM execution_iterations WHERE execution_id = ANY (${[old, large, answered]}::uuid[]))
      + (SELECT count(*) FROM pending_inputs WHERE execution_id = ANY (${[old, large, answered]}::uuid[])))::int AS count`;
    expect(left?.count).toBe(0);

    await home.submit(open, 'ask', { answer: 'x' });
    await home.ended(open);
    await database.$executeRaw`
    UPDATE webhook_deliveries SET expires_at = now() WHERE execution_id = ${delivered}::uuid`;
    await deleteOldExecutions(database, DAYS, { executions: 10, steps: 100, iterations: 100 });
    for (const id of [parent, child, delivered])
      expect((await home.api('GET', `/api/executions/${id}`)).status).toBe(404);
    expect((await home.api('GET', `/api/executions/${open}`)).status).toBe(200);
  });

  (process.env.PERDURE_TEST_STACK === 'production' ? test.skip : test)(
    "the reconciler forgets what is older than the deployment's setting",
    async () => {
      const home = await makeHome();
      const { id } = await home.run({ nodes: [action('a', 'core.set', { values: { x: 1 } })] });
      await stackDatabase().$executeRaw`
    UPDATE executions SET stopped_at = now() - interval '35000 days' WHERE id = ${id}::uuid`;
      const deadline = Date.now() + 50_000;
      while ((await home.api('GET', `/api/executions/${id}`)).status !== 404) {
        if (Date.now() > deadline) throw new Error('still there');
      }
    },
  );
});
