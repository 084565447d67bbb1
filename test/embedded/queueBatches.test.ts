// test: pglite
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { readConfig } from '../../config.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import { WorkspaceApps } from '../../engine/apps/workspaceApps.ts';
import { EVERY_BUCKET, type HeldBuckets } from '../../engine/duties/heldBuckets.ts';
import { Evaluation } from '../../engine/evaluation/evaluation.ts';
import { DefinitionCache } from '../../engine/executions/definitionCache.ts';
import { Starter } from '../../engine/executions/starter.ts';
import { StartLine } from '../../engine/executions/startLine.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { QueueConsumers } from '../../engine/queues/queueConsumers.ts';
import { QUEUE_CHANNEL, QueueFeed } from '../../engine/queues/queueFeed.ts';
import { QueueRunner } from '../../engine/queues/queueRunner.ts';
import { createTemporalEngine } from '../../engine/temporal/temporalEngine.ts';
import type { Database } from '../../prisma/client.ts';
import { readConsumers, readReadyQueues } from '../../prisma/store/queue/consumedQueues.ts';
import { takeBatches } from '../../prisma/store/queue/takeBatches.ts';
import { upsertWorkflow } from '../../prisma/store/workflow/upsertWorkflow.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { addItems, countsOf, makeQueue } from '../setup/database/queueRows.ts';
import { withSessions } from '../setup/database/withSessions.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';

// Left open, because abandoned calls retry for a while.
const nowhere = createTemporalEngine({
  client: new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) }),
  config: readConfig({ TEMPORAL_CALL_TIMEOUT_MS: '200' }),
  eagerStart: false,
});

let own: MigratedDatabase;
let database: Database;
beforeAll(async () => {
  own = await startMigratedDatabase(10);
  database = own.database;
});
afterAll(() => own?.dispose());

async function drained(settings: Parameters<typeof makeQueue>[2]) {
  const place = { workspaceId: randomUUID(), projectId: randomUUID() };
  await database.workspace.create({ data: { id: place.workspaceId, name: 'w' } });
  await database.project.create({ data: { id: place.projectId, workspaceId: place.workspaceId, name: 'p' } });
  const queueId = await makeQueue(database, place, settings);
  const deploy = async (definition: Partial<Definition>, isActive = true) => {
    const whole = {
      trigger: { id: 'trigger', type: 'queue', config: { queueId } },
      nodes: [],
      edges: [],
      ...definition,
    };
    const hash = createHash('sha256').update(JSON.stringify(whole)).digest();
    const others = { name: undefined, description: undefined, timeoutMs: undefined, onFailureWorkflowId: undefined };
    const kept = {
      maxConcurrent: undefined,
      exposeAsTool: undefined,
      isInternal: undefined,
      orientation: undefined,
      managedByCode: true,
    };
    const ids = { workflowId: v7(), versionId: v7(), projectId: place.projectId, slug: 'w' };
    await upsertWorkflow(database, place.workspaceId, {
      by: { type: 'apiKey', id: v7() },
      ...{ ...ids, ...others, ...kept, isActive, definition: whole as unknown as Definition, hash, named: [] },
    });
  };
  await deploy({});
  const heads = () => readConsumers(database, place.workspaceId, queueId);
  const take = async (batches: number) => {
    const [head] = await heads();
    if (!head) return [];
    return takeBatches(database, {
      ...{ workspaceId: place.workspaceId, queueId, workflowId: head.id, versionId: head.versionId },
      ...{ executionIds: Array.from({ length: batches }, () => v7()), mostBytes: 1_000_000, variables: { names: [] } },
    });
  };
  const add = (count: number) => addItems(database, place.workspaceId, queueId, Array(count).fill({}));
  return { ...place, queueId, deploy, heads, take, add, counts: () => countsOf(database, queueId) };
}

const itemsOf = (taken: Awaited<ReturnType<typeof takeBatches>>) =>
  taken.flatMap(({ trigger }) => (trigger as { items: { id: string }[] }).items.map(({ id }) => id));

test('with any number of consumers, each item is in one batch, and the queue limits open batches', async () => {
  const { queueId, take, add, counts } = await drained({ batchSize: 3, maxConcurrent: 7 });
  const ids = await add(60);
  const taken = (await Promise.all(Array.from({ length: 20 }, () => take(2)))).flat();
  expect(taken).toHaveLength(7);
  expect(itemsOf(taken).toSorted()).toEqual(ids.slice(0, 21).toSorted());
  expect(await counts()).toEqual({ PROCESSING: 21, PENDING: 39 });
  expect(await take(1)).toEqual([]);
  const [first, second] = taken;
  await database.$executeRaw`UPDATE executions SET status = 'COMPLETED', stopped_at = now() WHERE id = ${first?.executionId}::uuid`;
  await database.$executeRaw`UPDATE executions SET status = 'FAILED', stopped_at = now() WHERE id = ${second?.executionId}::uuid`;
  expect(await counts()).toEqual({ COMPLETED: 3, RETRYING: 3, PROCESSING: 15, PENDING: 39 });
  expect(await take(5)).toHaveLength(2);
  const executions = await database.execution.findMany({ where: { queueId } });
  expect(executions.map(({ number }) => number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('nothing is taken for a workflow that is not active, is at another version, or drains another queue', async () => {
  const one = await drained({ maxConcurrent: 100 });
  await one.add(1);
  const [head] = await one.heads();
  const taker = { workspaceId: one.workspaceId, queueId: one.queueId, workflowId: head?.id ?? '', versionId: v7() };
  const rest = { executionIds: [v7()], mostBytes: 1_000, variables: { names: [] } };
  expect(await takeBatches(database, { ...taker, ...rest })).toEqual([]);
  await one.deploy({}, false);
  expect(await one.heads()).toEqual([]);
  expect(await takeBatches(database, { ...taker, versionId: head?.versionId ?? '', ...rest })).toEqual([]);
  const listed = async () =>
    (
      await readReadyQueues(database, {
        after: randomUUID().replace(/./g, (c) => (c === '-' ? c : '0')),
        buckets: ALL_BUCKETS,
        limit: 1_000,
      })
    ).ready;
  expect((await listed()).map(({ queueId }) => queueId)).not.toContain(one.queueId);
  await one.deploy({});
  expect((await listed()).map(({ queueId }) => queueId)).toContain(one.queueId);
  await one.deploy({ trigger: { id: 'trigger', type: 'manual', config: {} } });
  expect(await one.heads()).toEqual([]);
  expect(await one.counts()).toEqual({ PENDING: 1 });
});

withSessions('a pause amid a call ends it after the batch that it is at: no batch is held', async () => {
  const { workspaceId, take, add, counts } = await drained({ batchSize: 1, maxConcurrent: 5 });
  await add(4);
  const client = await database.pool.connect();
  try {
    // Numbering executions locks the workspace.
    await client.query('BEGIN');
    await client.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspaceId]);
    const taken = take(3);
    await poll(() => lockWaits(database)).toBe(1);
    await database.workflow.updateMany({ where: { workspaceId }, data: { isPaused: true } });
    await client.query('COMMIT');
    expect(await taken).toHaveLength(1);
  } finally {
    client.release(true);
  }
  expect(await database.execution.count({ where: { workspaceId, held: true } })).toBe(0);
  expect(await counts()).toEqual({ PROCESSING: 1, PENDING: 3 });
  await database.workflow.updateMany({ where: { workspaceId }, data: { isPaused: false, maxConcurrent: 3 } });
  expect(await take(3)).toHaveLength(2);
  expect(await counts()).toEqual({ PROCESSING: 3, PENDING: 1 });
});

test('the status message of an execution is stored with its items, unless it has secrets', async () => {
  const { workspaceId, take, add } = await drained({ maxConcurrent: 2, batchSize: 1, maxRetries: 0 });
  const [plain, secret] = await add(2);
  const [one, two] = await take(2);
  await database.$executeRaw`
    INSERT INTO execution_secrets (root_id, digest, workspace_id, value) VALUES (${two?.executionId}::uuid, 'd', ${workspaceId}::uuid, 's3cret')`;
  for (const each of [one, two])
    await database.$executeRaw`
      UPDATE executions SET status = 'FAILED', status_message = 'it is s3cret', stopped_at = now() WHERE id = ${each?.executionId}::uuid`;
  const rows = await database.queueItem.findMany({ where: { workspaceId } });
  const errors = new Map(rows.map(({ id, lastError }) => [id, lastError]));
  expect(errors.get(plain ?? '')).toBe('The execution failed: it is s3cret');
  expect(errors.get(secret ?? '')).toBe('The execution failed');
});

test('the workflow that drains a queue is cached until a notification of changed workflows', async () => {
  const { workspaceId, queueId, deploy } = await drained({});
  const consumers = new QueueConsumers(database);
  const feed = new QueueFeed();
  const channels = { [QUEUE_CHANNEL]: (payload: string) => feed.notified(payload) };
  const listener = new DatabaseListener({ url: own.url, channels, log: pino({ level: 'silent' }) });
  onTestFinished(() => listener.stop());
  let heard = 0;
  onTestFinished(
    feed.subscribe((news) => {
      heard += 1;
      if (news.consumersChanged) consumers.forget(news.queueId);
    }),
  );
  // Notifications arrive, so it is listening.
  await poll(async () => {
    await database.pool.query(`SELECT pg_notify('perdure_queue', 'w q ')`);
    return heard;
  }).toBeGreaterThan(0);
  const known = () => consumers.sole(workspaceId, queueId)?.versionId;
  expect(known()).toBeUndefined();
  const [first] = await consumers.read(workspaceId, queueId);
  expect(known()).toBe(first?.versionId);
  expect(consumers.sole(randomUUID(), queueId)).toBeUndefined();
  feed.notified(`${workspaceId} ${queueId} `);
  expect(known()).toBe(first?.versionId);
  await deploy({ trigger: { id: 'trigger', type: 'queue', config: { queueId, batchSize: 7 } } });
  await poll(known).toBeUndefined();
  // An entry that is invalidated during its read is not cached.
  const reading = consumers.read(workspaceId, queueId);
  consumers.forget(queueId);
  expect((await reading)[0]?.versionId).not.toBe(first?.versionId);
  expect(known()).toBeUndefined();
});

const NO_BUCKET: HeldBuckets = { list: () => [], has: () => false };

async function worker(isInCharge: boolean) {
  let statements = 0;
  const counted = watched(database, () => (statements += 1));
  const log = pino({ level: 'silent' });
  const feed = new QueueFeed();
  const channels = { [QUEUE_CHANNEL]: (payload: string) => feed.notified(payload) };
  const listener = new DatabaseListener({ url: own.url, channels, log });
  const heard: string[] = [];
  onTestFinished(feed.subscribe(({ queueId }) => heard.push(queueId)));
  await poll(async () => {
    await database.pool.query(`SELECT pg_notify('perdure_queue', 'w q ')`);
    return heard.length;
  }).toBeGreaterThan(0);
  const changes = new ChangeFeed({ database, pollMs: 3_600_000, log });
  // The engine is unavailable, so batches wait for the reconciler.
  const line = new StartLine({ database, engine: nowhere, feed: changes, most: 2, patienceMs: 1_000, log });
  const definitions = new DefinitionCache(counted, new WorkspaceApps(counted, new Map()));
  const evaluation = new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000 });
  const starter = new Starter({
    ...{ database: counted, line, definitions, evaluation, batchBytes: 1_000_000, takeOverBatch: 1_000 },
  });
  const runner = new QueueRunner({
    database: counted,
    starter,
    feed,
    log,
    buckets: isInCharge ? EVERY_BUCKET : NO_BUCKET,
  });
  onTestFinished(async () => {
    await runner.stop();
    await line.close();
    changes.stop();
    await listener.stop();
  });
  return { heard, statements: () => statements };
}

function watched(of: Database, seen: () => void): Database {
  const pool = new Proxy(of.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target);
      return (...args: Parameters<typeof target.query>) => {
        seen();
        return target.query(...args);
      };
    },
  });
  return new Proxy(of, {
    get(target, name) {
      if (name === 'pool') return pool;
      seen();
      return Reflect.get(target, name, target);
    },
  });
}

test('a notification wakes only the worker that drains queues; the others read nothing', async () => {
  const { queueId, add, counts } = await drained({ batchSize: 10, maxConcurrent: 100 });
  const idle = await Promise.all([worker(false), worker(false)]);
  const inCharge = await worker(true);
  for (let round = 1; round <= 3; round += 1) {
    await add(10);
    await poll(counts).toEqual({ PROCESSING: 10 * round });
  }
  for (const { heard, statements } of idle) {
    await poll(() => heard.filter((each) => each === queueId).length).toBeGreaterThanOrEqual(3);
    expect(statements()).toBe(0);
  }
  expect(inCharge.statements()).toBeGreaterThan(2);
});
