// test: pglite
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json } from '../../domain/json.ts';
import { ProgressWriter, type WriterLimits } from '../../engine/executions/progressWriter.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

const PLENTY: WriterLimits = { writes: 100, bytes: 1_000_000, gatherMs: 1 };
/** Longer than a test. */
const FOR_EVER = 3_600_000;

let own: MigratedDatabase;
let database: Database;
let feed: ChangeFeed;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
  ({ database } = own);
  feed = new ChangeFeed({ database, pollMs: FOR_EVER, log: createLog('silent') });
});
afterAll(async () => {
  await feed?.stop();
  await own?.dispose();
});

function step(nodeId: string, iteration: string, output: Json = null): StepRecord {
  return { id: v7(), nodeId, iteration, label: nodeId, type: 'action', status: 'COMPLETED', attempt: 1, output };
}

function iteration(index: number, output: Json = index): ProgressWrite {
  return {
    steps: [step('a', `loop:${index}`, output)],
    iterations: [{ loopKey: 'loop', index, status: 'COMPLETED', output, bytes: 10 }],
  };
}

const iterations = (count: number) => Array.from({ length: count }, (_, index) => iteration(index));

async function looping() {
  const { workspaceId, executionId } = await insertOwnExecution(database);
  await recordProgress(database, workspaceId, executionId, {
    steps: [{ ...step('loop', ''), type: 'forEach', status: 'RUNNING' }],
  });
  return {
    workspaceId,
    executionId,
    writeAll: (writes: ProgressWrite[], limits = PLENTY) => {
      const writer = new ProgressWriter(database, feed, limits);
      return Promise.allSettled(writes.map((write) => writer.record(workspaceId, executionId, write)));
    },
    async read() {
      const { revision } = await database.execution.findUniqueOrThrow({ where: { id: executionId } });
      const steps = await database.executionStep.findMany({ where: { executionId }, orderBy: { position: 'asc' } });
      const loop = steps.find(({ nodeId }) => nodeId === 'loop');
      return { revision, inner: steps.filter(({ nodeId }) => nodeId !== 'loop'), done: loop?.iterationsCompleted };
    },
  };
}

function revisions(results: PromiseSettledResult<{ revision: number } | undefined>[]): number[] {
  return results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value.revision] : []));
}

test('writes that arrive during a statement go in the next one; each caller gets its change', async () => {
  const execution = await looping();
  const notified: number[] = [];
  const unsubscribe = feed.subscribe(execution.executionId, ({ revision }) => notified.push(revision));
  const results = await execution.writeAll(iterations(60));
  unsubscribe();
  expect(revisions(results)).toEqual([2, ...Array(59).fill(3)]);
  expect(notified).toEqual([2, 3]);
  const { inner, done, revision } = await execution.read();
  expect({ done, revision }).toEqual({ done: 60, revision: 3 });
  expect(inner.map((each) => [each.iteration, each.output])).toEqual(
    Array.from({ length: 60 }, (_, index) => [`loop:${index}`, index]),
  );
});

test('a lone write does not wait for others', async () => {
  const { workspaceId, executionId } = await looping();
  const writer = new ProgressWriter(database, feed, { ...PLENTY, gatherMs: FOR_EVER });
  for (let index = 0; index < 5; index += 1) {
    const change = await writer.record(workspaceId, executionId, iteration(index));
    expect(change).toMatchObject({ revision: index + 2 });
  }
});

test('each write of an iteration returns the bytes of its loop so far, and a repeated one counts once', async () => {
  const { workspaceId, executionId } = await looping();
  const write = (index: number) => recordProgress(database, workspaceId, executionId, iteration(index));
  expect(await write(0)).toMatchObject({ loopBytes: { loop: 10 } });
  expect(await write(1)).toMatchObject({ loopBytes: { loop: 20 } });
  expect(await write(0)).toMatchObject({ loopBytes: { loop: 20 } });
  const aside = await recordProgress(database, workspaceId, executionId, { steps: [step('aside', '')] });
  expect(aside).not.toHaveProperty('loopBytes');
});

test('a write of the whole execution does not wait for many iterations', async () => {
  const execution = await looping();
  const writer = new ProgressWriter(database, feed, { ...PLENTY, gatherMs: FOR_EVER });
  const write = (each: ProgressWrite) => writer.record(execution.workspaceId, execution.executionId, each, 100);
  await Promise.all(iterations(10).map(write));
  // Another write of an iteration would now wait an hour, or for 24 others.
  await expect(write({ steps: [step('other', '')] })).resolves.toMatchObject({ revision: 4 });
});

test("after a combined statement, the next waits for a part of the loop's concurrency", async () => {
  const execution = await looping();
  const writer = new ProgressWriter(database, feed, { ...PLENTY, gatherMs: FOR_EVER });
  const write = (each: ProgressWrite) => writer.record(execution.workspaceId, execution.executionId, each, 40);
  const all = iterations(29);
  expect(await Promise.all(all.slice(0, 10).map(write))).toHaveLength(10);
  const next = all.slice(10, 19).map(write);
  await write(all[19] as ProgressWrite);
  await Promise.all(next);
  expect(await execution.read()).toMatchObject({ done: 20, revision: 4 });
});

test('it does not wait longer than it may', async () => {
  const execution = await looping();
  const writer = new ProgressWriter(database, feed, { ...PLENTY, gatherMs: 50 });
  const write = (each: ProgressWrite) => writer.record(execution.workspaceId, execution.executionId, each, 100);
  const all = iterations(12);
  await Promise.all(all.slice(0, 10).map(write));
  await Promise.all(all.slice(10).map(write));
  expect(await execution.read()).toMatchObject({ done: 12, revision: 4 });
});

test('where few run at once, nothing waits', async () => {
  const execution = await looping();
  const writer = new ProgressWriter(database, feed, { ...PLENTY, gatherMs: FOR_EVER });
  const write = (each: ProgressWrite) => writer.record(execution.workspaceId, execution.executionId, each, 4);
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([0, 1, 2, 3].map((index) => write(iteration(round * 4 + index))));
  }
  expect(await execution.read()).toMatchObject({ done: 12 });
});

test.each([
  ['writes', { ...PLENTY, writes: 10 }, 1 + 1 + 6],
  ['bytes', { ...PLENTY, bytes: 1 }, 1 + 60],
])('a statement takes at most the allowed %s', async (_name, limits, revision) => {
  const execution = await looping();
  const results = await execution.writeAll(iterations(60), limits);
  expect(revisions(results)).toHaveLength(60);
  expect(await execution.read()).toMatchObject({ done: 60, revision });
});

test('an error in one write reaches its caller alone', async () => {
  const execution = await looping();
  const writes = iterations(20);
  // Postgres cannot store this character.
  writes[7] = iteration(7, 'a\u0000b');
  const results = await execution.writeAll(writes);
  expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
  expect(revisions(results)).toHaveLength(19);
  const { inner, done } = await execution.read();
  expect(done).toBe(19);
  expect(inner.map((each) => each.iteration)).not.toContain('loop:7');
});

test('an iteration that is written again counts once, and a step that is final stays', async () => {
  const execution = await looping();
  await execution.writeAll(iterations(5));
  const again = await execution.writeAll([...iterations(5), iteration(2, 'changed'), iteration(5)]);
  expect(revisions(again)).toHaveLength(7);
  const { inner, done } = await execution.read();
  expect(done).toBe(6);
  expect(inner.map(({ output }) => output)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a step that begins and ends in one crowd has ended', async () => {
  const execution = await looping();
  const running = { steps: [{ ...step('a', 'loop:1'), status: 'RUNNING' as const }] };
  await execution.writeAll([iteration(0), running, iteration(1), iteration(2)]);
  const { inner, done } = await execution.read();
  expect(done).toBe(3);
  expect(inner.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
});

test('an execution that has ended, or is of another workspace, takes nothing', async () => {
  const execution = await looping();
  const { workspaceId, executionId } = execution;
  const writer = new ProgressWriter(database, feed, PLENTY);
  const elsewhere = await Promise.all(iterations(5).map((write) => writer.record(v7(), executionId, write)));
  expect(elsewhere).toEqual(Array(5).fill(undefined));
  await recordProgress(database, workspaceId, executionId, { steps: [], end: { status: 'CANCELLED' } });
  const late = await execution.writeAll(iterations(5));
  expect(late).toEqual(Array(5).fill({ status: 'fulfilled', value: undefined }));
  expect(await execution.read()).toMatchObject({ inner: [], done: 0, revision: 2 });
});

test('executions do not wait for each other', async () => {
  const [busy, other] = [await looping(), await looping()];
  const writer = new ProgressWriter(database, feed, { ...PLENTY, gatherMs: FOR_EVER });
  const { workspaceId, executionId } = busy;
  await Promise.all(iterations(10).map((write) => writer.record(workspaceId, executionId, write, 100)));
  const change = await writer.record(other.workspaceId, other.executionId, iteration(0));
  expect(change).toMatchObject({ revision: 2 });
});

test('while the database is away each caller gets a retryable error', async () => {
  const away = createDatabase('postgres://nobody@127.0.0.1:1/nothing', 1);
  const writer = new ProgressWriter(away, feed, PLENTY);
  const [workspaceId, executionId] = [v7(), v7()];
  const results = await Promise.allSettled(
    iterations(5).map((write) => writer.record(workspaceId, executionId, write)),
  );
  await away.close();
  expect(results.map((each) => each.status === 'rejected' && isDatabaseUnavailable(each.reason))).toEqual(
    Array(5).fill(true),
  );
});
