// test: long
import { expect, test } from '@jest/globals';
import { addItems, countsOf, itemsOf, makeQueue } from '../setup/database/queueRows.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, control } from '../setup/workspace/graph.ts';

const QUEUES = 3;
const ITEMS = 40;
/** Long form: KILLS=3. */
const KILLS = Number(process.env.KILLS ?? 1);
const PATIENCE = { timeout: 120_000, interval: 300 };

const { stack, home, database } = await ownHome();

test('killed amid batches, each item ends once, none is lost, and none begins again once it has ended', async () => {
  const calls = new Map<string, number>();
  let total = 0;
  // Every seventh item fails its first attempt.
  const { url } = await loopback((call, response) => {
    const { id, n } = JSON.parse(call.body) as { id: string; n: number };
    const times = (calls.get(id) ?? 0) + 1;
    calls.set(id, times);
    total += 1;
    const status = n % 7 === 0 && times === 1 ? 500 : 200;
    setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'), 20);
  });
  const inputs = { method: 'POST', url, body: { id: '{{ loop.item.id }}', n: '{{ loop.item.data.n }}' } };
  const queues = await Promise.all(
    Array.from({ length: QUEUES }, () =>
      makeQueue(database, home, { batchSize: 4, maxConcurrent: 2, maxRetries: 5, retryDelayMinutes: 0.01 }),
    ),
  );
  for (const queueId of queues) {
    await home.deploy({
      trigger: { id: 'trigger', type: 'queue', config: { queueId } },
      nodes: [
        control('each', 'forEach', { items: '{{ trigger.items }}', concurrency: 2 }),
        action('call', 'http.request', inputs, { parentId: 'each', retry: { maximumAttempts: 1 } }),
      ],
    });
    await addItems(
      database,
      home.workspaceId,
      queueId,
      Array.from({ length: ITEMS }, (_, n) => ({ data: { n } })),
    );
  }
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await poll(() => total, PATIENCE).toBeGreaterThan((kill * QUEUES * ITEMS) / (KILLS + 2));
    await stack.killMain();
    await stack.startAgain();
  }
  for (const queueId of queues) {
    await poll(() => countsOf(database, queueId).catch(() => undefined), PATIENCE).toEqual({ COMPLETED: ITEMS });
  }
  const moves = await database.queueItemMove.findMany({ orderBy: { ordinal: 'asc' } });
  const executions = new Map((await database.execution.findMany()).map((each) => [each.id, each]));
  for (const queueId of queues) {
    for (const item of await itemsOf(database, queueId)) {
      const own = moves.filter(({ itemId }) => itemId === item.id);
      const turns = item.retryCount + 1;
      expect(own.map(({ to }) => to)).toEqual(
        Array.from({ length: turns }, (_, turn) => [
          'PROCESSING',
          turn === turns - 1 ? 'COMPLETED' : 'RETRYING',
        ]).flat(),
      );
      const ids = own.filter(({ to }) => to === 'PROCESSING').map(({ executionId }) => executionId ?? '');
      expect(new Set(ids).size).toBe(turns);
      expect(ids.map((id) => executions.get(id)?.status)).toEqual([...Array(turns - 1).fill('FAILED'), 'COMPLETED']);
      expect(calls.get(item.id)).toBeGreaterThanOrEqual(1);
    }
  }
  for (const { queueId, stoppedAt, trigger } of executions.values()) {
    if (queueId === null) continue;
    expect(stoppedAt).not.toBeNull();
    expect((trigger as { items: unknown[] }).items.length).toBeGreaterThan(0);
  }
}, 300_000);

test('killed between the batches that it took and their labels, nothing is left without labels', async () => {
  // The labels of this workflow cannot be stored until the process is killed.
  await database.pool.query(`
    CREATE FUNCTION hold_labels() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'held' USING ERRCODE = '57P03'; END $$;
    CREATE TRIGGER hold_labels BEFORE UPDATE OF labels ON executions FOR EACH ROW
    WHEN (OLD.labels IS NULL AND NEW.labels IS NOT NULL) EXECUTE FUNCTION hold_labels()`);
  const queueId = await makeQueue(database, home, { batchSize: 2, maxConcurrent: 5 });
  const workflowId = await home.deploy({
    trigger: { id: 'trigger', type: 'queue', config: { queueId } },
    nodes: [action('a', 'core.set', { values: {} })],
    labels: { first: 'n-{{ trigger.items[0].data.n }}', team: 'billing' },
  } as never);
  const items = Array.from({ length: 6 }, (_, n) => ({ data: { n } }));
  await addItems(database, home.workspaceId, queueId, items);
  const rows = async () => database.execution.findMany({ where: { workflowId }, orderBy: { number: 'asc' } });
  const taken = async () => (await rows()).map(({ status, labels }) => [status, labels]);
  await poll(taken, PATIENCE).toEqual(Array(3).fill(['PENDING', null]));

  await stack.killMain();
  await stack.startAgain();
  await poll(
    () =>
      database.pool.query('DROP TRIGGER hold_labels ON executions').then(
        () => true,
        () => false,
      ),
    PATIENCE,
  ).toBe(true);
  await poll(() => taken().catch(() => undefined), PATIENCE).toEqual(
    [0, 2, 4].map((n) => ['COMPLETED', { first: `n-${n}`, team: 'billing' }]),
  );
  const found = await home.api('GET', `/api/executions?filterBy=${encodeURIComponent('label.first:n-2')}`);
  expect(found.body.map(({ id }: { id: string }) => id)).toEqual([(await rows())[1]?.id]);
});
