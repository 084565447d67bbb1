import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { allDuties } from '../../engine/duties/duties.ts';
import type { Duty, DutyParts } from '../../engine/duties/duty.ts';
import { forgetItems, forgetStateChanges, forgetTasks } from '../../engine/duties/forget.ts';
import type { Database } from '../../prisma/client.ts';
import { deleteOldStateChanges } from '../../prisma/store/object/deleteOldStateChanges.ts';
import { OLDEST } from '../../prisma/store/operation/sweepPlaces.ts';
import { deleteOldItems } from '../../prisma/store/queueItem/deleteOldItems.ts';
import { deleteOldTasks } from '../../prisma/store/task/deleteOldTasks.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { addItems, countsOf, itemsOf, makeQueue } from '../setup/database/queueRows.ts';
import { reading } from '../setup/database/reading.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** PGlite has one session: no other can hold a lock. */
const withSessions = process.env.DATABASE_URL ? test : test.skip;
const NEVER = new AbortController().signal;
/** More than one statement reads. */
const MANY = 2_100;

let own: MigratedDatabase;
let database: Database;
let workspaceId: string;
let projectId: string;

beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
});
afterAll(() => own?.dispose());

beforeEach(async () => {
  workspaceId = await insertOwnWorkspace(database);
  projectId = v7();
  await database.project.create({ data: { id: projectId, workspaceId, name: 'p' } });
});

const run = (duty: Duty) => duty.run(NEVER, () => undefined, ALL_BUCKETS);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const anHourLater = () => database.$executeRaw`UPDATE sweep_places SET again_at = now() - interval '1 second'`;

describe('duties', () => {
  const NONE = {
    ...{ executionDays: 0, queueItemDays: 0, taskDays: 0, stateChangeDays: 0 },
    ...{ objectChangeDays: 7, eventDays: 14, auditDays: 0 },
  };
  const duties = (retention: typeof NONE) =>
    allDuties({} as DutyParts, { intervalMs: 3_000, sweepMs: 60_000, workersMs: 5_000 }, retention, undefined);
  const sweepsOf = (retention: typeof NONE) =>
    duties(retention)
      .filter(({ intervalMs }) => intervalMs === 60_000)
      .map(({ name }) => name);
  const ALWAYS = ['delete expired rows', 'forget streamed chunks', 'forget old facts of agents'];

  test('0 days: no duty deletes', () => {
    expect(sweepsOf(NONE)).toEqual(ALWAYS);
  });

  test.each([
    ['executionDays', 'forget old executions'],
    ['queueItemDays', 'forget ended items of queues'],
    ['taskDays', 'forget old tasks of agents'],
    ['stateChangeDays', 'forget old state changes of entities'],
  ])('%s: a sweep of its own', (days, duty) => {
    expect(sweepsOf({ ...NONE, [days]: 1 })).toEqual([...ALWAYS, duty]);
  });
});

describe('ended items of queues', () => {
  const retention = () => run(forgetItems({ database }, DAYS, 1_000));

  const end = (ids: string[], status: string, at: Date) =>
    database.queueItem.updateMany({ where: { id: { in: ids } }, data: { status, processingCompletedAt: at } });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])(
    '%s go with what hangs on them; younger and open ones stay',
    async (status) => {
      const queueId = await makeQueue(database, { workspaceId, projectId });
      const [old, young, open] = (await addItems(database, workspaceId, queueId, [{}, {}, {}])) as [
        string,
        string,
        string,
      ];
      const processing = { status: 'PROCESSING', leaseExpiresAt: daysAgo(-1) };
      await database.queueItem.updateMany({ where: { id: { in: [old, young] } }, data: processing });
      await database.queueItem.updateMany({ where: { id: { in: [old, young] } }, data: { leaseExpiresAt: null } });
      await end([old], status, daysAgo(DAYS + 1));
      await end([young], status, daysAgo(DAYS - 1));
      await database.queueItem.update({ where: { id: open }, data: { createdAt: daysAgo(DAYS * 10) } });
      for (const itemId of [old, young]) {
        await database.queueItemError.create({ data: { id: v7(), workspaceId, itemId, message: 'm', attempt: 1 } });
      }
      const rowsOf = async (itemId: string) => [
        await database.queueItemMove.count({ where: { itemId } }),
        await database.queueItemText.count({ where: { itemId } }),
        await database.queueItemError.count({ where: { itemId } }),
      ];
      expect(await rowsOf(old)).toEqual([2, 1, 1]);
      await retention();
      expect((await itemsOf(database, queueId)).map(({ id }) => id)).toEqual([young, open]);
      expect(await rowsOf(old)).toEqual([0, 0, 0]);
      expect(await rowsOf(young)).toEqual([2, 1, 1]);
      const counts = await database.queueItemCount.findMany({ where: { queueId } });
      const counted = counts.filter((row) => row.status === status).reduce((sum, { items }) => sum + Number(items), 0);
      expect(counted).toBe(1);
    },
  );

  test('a statement deletes at most its limit, a run all, of several queues and of deleted ones', async () => {
    const queues: string[] = [];
    for (let queue = 0; queue < 3; queue += 1) {
      const queueId = await makeQueue(database, { workspaceId, projectId });
      const ids = await addItems(
        database,
        workspaceId,
        queueId,
        Array.from({ length: MANY / 3 }, () => ({})),
      );
      await end(ids, 'COMPLETED', daysAgo(DAYS + 1));
      queues.push(queueId);
    }
    await database.queue.update({
      where: { id: queues[0] as string },
      data: { isActive: false, deletedAt: new Date() },
    });
    expect(await deleteOldItems(database, DAYS, 500)).toBe(500);
    await retention();
    for (const queueId of queues) expect(await countsOf(database, queueId)).toEqual({});
  });

  test('young items are not read', async () => {
    const queueId = await makeQueue(database, { workspaceId, projectId });
    const ids = await addItems(
      database,
      workspaceId,
      queueId,
      Array.from({ length: MANY }, () => ({})),
    );
    await end(ids, 'CANCELLED', daysAgo(DAYS - 1));
    await database.$executeRaw`ANALYZE queue_items`;
    const { rows, indexes, wholeTables } = await reading(database, (explained) =>
      deleteOldItems(explained, DAYS, 1_000),
    );
    expect(indexes).toContain('queue_items_ended_idx');
    expect(wholeTables).not.toContain('queue_items');
    expect(rows).toBeLessThan(100);
  });
});

describe('tasks of agents', () => {
  const retention = () => run(forgetTasks({ database }, DAYS, 1_000));
  let agentId: string;

  beforeEach(async () => {
    agentId = v7();
    const data = { id: agentId, workspaceId, projectId, slug: 'a', name: 'a', definition: {}, hash: Buffer.from('h') };
    await database.agent.create({ data });
  });

  async function addTask(days: number, status = 'COMPLETED', parentTaskId: string | null = null): Promise<string> {
    const id = v7();
    const data = { id, clientId: id, workspaceId, agentId, parentTaskId, lastActivityAt: daysAgo(days) };
    await database.task.create({ data });
    await database.taskMessage.create({ data: { taskId: id, id: 'm', position: 1, role: 'user', parts: [] } });
    const turn = { workspaceId, taskId: id, number: 1, status, messageId: 'm', steps: [] };
    await database.taskRun.create({ data: { id: v7(), ...turn } });
    return id;
  }

  const left = async () =>
    (await database.task.findMany({ where: { agentId }, orderBy: { id: 'asc' } })).map(({ id }) => id);

  test.each(['COMPLETED', 'FAILED', 'STOPPED'])(
    'an old one whose turn is %s goes with messages and turns; a younger one stays',
    async (status) => {
      const old = await addTask(DAYS + 1, status);
      const young = await addTask(DAYS - 1, status);
      await retention();
      expect(await left()).toEqual([young]);
      expect(await database.taskMessage.count({ where: { taskId: old } })).toBe(0);
      expect(await database.taskRun.count({ where: { taskId: old } })).toBe(0);
      expect(await database.taskRun.count({ where: { taskId: young } })).toBe(1);
    },
  );

  test.each(['NEEDS_APPROVAL', 'RUNNING', 'QUEUED'])(
    'one whose turn is %s stays, and goes within an hour of its end',
    async (status) => {
      const waits = await addTask(DAYS + 1, status);
      await retention();
      expect(await left()).toEqual([waits]);
      await database.taskRun.updateMany({ where: { taskId: waits }, data: { status: 'COMPLETED' } });
      await anHourLater();
      await retention();
      expect(await left()).toEqual([]);
    },
  );

  test.each([
    ['younger', DAYS - 1, 'COMPLETED'],
    ['waiting', DAYS + 5, 'NEEDS_APPROVAL'],
    ['running', DAYS + 5, 'RUNNING'],
  ])('a conversation stays as a whole while a task in it is %s', async (_, days, status) => {
    const root = await addTask(DAYS + 1);
    const child = await addTask(DAYS + 1, 'COMPLETED', root);
    const grandchild = await addTask(days, status, child);
    const alone = await addTask(DAYS + 1);
    await retention();
    expect(await left()).toEqual([root, child, grandchild]);
    expect(await database.task.count({ where: { id: alone } })).toBe(0);
    await database.task.update({ where: { id: grandchild }, data: { lastActivityAt: daysAgo(DAYS + 1) } });
    await database.taskRun.updateMany({ where: { taskId: grandchild }, data: { status: 'STOPPED' } });
    await anHourLater();
    await retention();
    expect(await left()).toEqual([]);
  });

  withSessions('one that begins a turn at that moment stays', async () => {
    const root = await addTask(DAYS + 1);
    const child = await addTask(DAYS + 1, 'COMPLETED', root);
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE tasks SET last_activity_at = now() WHERE id = $1', [child]);
      await anHourLater();
      await retention();
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect(await left()).toEqual([root, child]);
  });

  test('many go in one run; those that wait are read once an hour', async () => {
    await database.$executeRaw`
      INSERT INTO tasks (id, client_id, workspace_id, agent_id, last_activity_at)
      SELECT g.id, g.id, ${workspaceId}::uuid, ${agentId}::uuid, now() - make_interval(days => ${DAYS + 1}::int)
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${MANY}::int)) g`;
    await database.$executeRaw`
      INSERT INTO task_runs (id, workspace_id, task_id, number, status, message_id, steps)
      SELECT gen_random_uuid(), ${workspaceId}::uuid, t.id, 1, CASE WHEN t.id::text < '7' THEN 'NEEDS_APPROVAL' ELSE 'FAILED' END, 'm', '[]'
      FROM tasks t WHERE t.agent_id = ${agentId}::uuid`;
    await database.$executeRaw`ANALYZE tasks, task_runs`;
    await anHourLater();
    await retention();
    const waiting = await database.taskRun.count({ where: { workspaceId, status: 'NEEDS_APPROVAL' } });
    expect(waiting).toBeGreaterThan(MANY / 4);
    expect(await left()).toHaveLength(waiting);
    const { at, id } = await database.sweepPlace.findUniqueOrThrow({ where: { sweep: 'tasks' } });
    const from = { at: at.toISOString(), id };
    const { rows } = await reading(database, (explained) => deleteOldTasks(explained, DAYS, 100, from));
    expect(rows).toBeLessThan(20);
  });
});

describe('state changes of entities', () => {
  const retention = () => run(forgetStateChanges({ database }, DAYS, 1_000));
  let objectTypeId: string;

  beforeEach(async () => {
    objectTypeId = v7();
    await database.objectType.create({
      data: { id: objectTypeId, workspaceId, name: 't', slug: 't', attributeSchema: {} },
    });
  });

  async function addObject(days: readonly number[], deletedAt: Date | null = null): Promise<string> {
    const id = v7();
    await database.object.create({
      data: { id, workspaceId, objectTypeId, name: 'o', attributes: {}, revision: days.length + 1, deletedAt },
    });
    const by = { changedByType: 'apiKey', changedById: randomUUID() };
    await database.objectStateChange.createMany({
      data: days.map((ago, index) => ({
        ...{ objectId: id, revision: index + 2, id: v7(), toState: `${index}`, changedAt: daysAgo(ago) },
        ...by,
      })),
    });
    return id;
  }

  const statesOf = async (objectId: string) =>
    (await database.objectStateChange.findMany({ where: { objectId }, orderBy: { revision: 'asc' } })).map(
      ({ toState }) => toState,
    );

  test('old ones go; younger ones and the newest of a living entity stay', async () => {
    const both = await addObject([DAYS + 2, DAYS + 1, DAYS - 1]);
    const allOld = await addObject([DAYS + 3, DAYS + 2, DAYS + 1]);
    const deleted = await addObject([DAYS + 3, DAYS + 2], new Date());
    const young = await addObject([DAYS - 2, DAYS - 1], new Date());
    await retention();
    expect(await statesOf(both)).toEqual(['2']);
    expect(await statesOf(allOld)).toEqual(['2']);
    expect(await statesOf(deleted)).toEqual([]);
    expect(await statesOf(young)).toEqual(['0', '1']);
    // The newest change is deleted once there is a newer one, or the entity is deleted.
    await database.objectStateChange.create({
      data: {
        ...{ objectId: allOld, revision: 9, id: v7(), toState: 'new' },
        ...{ changedByType: 'apiKey', changedById: randomUUID() },
      },
    });
    await anHourLater();
    await retention();
    expect(await statesOf(allOld)).toEqual(['new']);
  });

  test('many go in one run; those that stay are read once an hour', async () => {
    await database.$executeRaw`
      INSERT INTO objects (id, workspace_id, object_type_id, name, attributes)
      SELECT gen_random_uuid(), ${workspaceId}::uuid, ${objectTypeId}::uuid, 'o', '{}' FROM generate_series(1, ${MANY}::int)`;
    await database.$executeRaw`
      INSERT INTO object_state_changes (object_id, revision, id, to_state, changed_by_type, changed_by_id, changed_at)
      SELECT o.id, n, gen_random_uuid(), 's', 'apiKey', o.id, now() - make_interval(days => ${DAYS + 5}::int - n)
      FROM objects o, generate_series(1, 2) n WHERE o.workspace_id = ${workspaceId}::uuid`;
    await database.$executeRaw`ANALYZE objects, object_state_changes`;
    await anHourLater();
    await retention();
    const count = () => database.objectStateChange.count({ where: { object: { workspaceId } } });
    expect(await count()).toBe(MANY);
    const { at, id } = await database.sweepPlace.findUniqueOrThrow({ where: { sweep: 'state_changes' } });
    const from = { at: at.toISOString(), id };
    const behind = await reading(database, (explained) => deleteOldStateChanges(explained, DAYS, 1_000, from));
    expect(behind.rows).toBeLessThan(20);
    expect(behind.indexes).toContain('object_state_changes_changed_at_id_idx');
    const all = await reading(database, (explained) => deleteOldStateChanges(explained, DAYS, 1_000, OLDEST));
    expect(all.rows).toBeGreaterThan(1_000);
  });
});
