// test: long
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Connection } from '@temporalio/client';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { type Build, editedBuild } from '../setup/stack/newBuild.ts';
import { type Stack, startStack } from '../setup/stack/ownStack.ts';
import { connectionTo, engineStatus } from '../setup/stack/temporal.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';
import { type Home, homeOn, statuses, stepOf } from '../setup/workspace/home.ts';

const ENVIRONMENT = { INTERNAL_FAILURE_TRIES: '4', ENABLE_TESTING_APP: 'true' };

/** The build changes an app so that its steps end the process or throw in our own code. */
const HARMFUL = {
  file: 'activities/callAction.js',
  from: /if \(customApp === undefined\)\s+return executorOf\(appId, actionId\);/,
  to: `if (actionId === 'base64') process.kill(process.pid, 'SIGKILL');
    if (actionId === 'hash') throw new Error('broken, with data of somebody');
    if (customApp === undefined)
      return executorOf(appId, { uuid: 'of a newer build', payload: 'of a newer build' }[actionId] ?? actionId);`,
};

let stack: Stack;
let home: Home;
let build: Build;
let database: Database;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  [stack, build] = await Promise.all([startStack({ environment: ENVIRONMENT }), editedBuild(HARMFUL)]);
  home = homeOn(stack);
  await stack.stop();
  await stack.startAgain(build.dist);
  database = createDatabase(stack.databaseUrl, 2);
  connection = await connectionTo(stack.temporalAddress);
  client = new Client({ connection });
});
afterAll(async () => {
  await connection?.close();
  await database?.close();
  await stack?.dispose();
  await build?.remove();
});

const deadly = (id: string, more = {}) => action(id, 'crypto.base64', { direction: 'encode', text: 'x' }, more);
const broken = (id: string, more = {}) =>
  action(id, 'crypto.hash', { algorithm: 'sha256', text: 'x', encoding: 'hex' }, more);
const set = (id: string) => action(id, 'core.set', { values: { id } });

test('an execution without a row ends, whatever it does next', async () => {
  const wait = control('wait', 'delay', { forMs: 4_000 });
  const ids = await Promise.all([
    home.execute(await home.deploy({ nodes: [wait, set('after')], edges: chain('wait', 'after') })),
    home.execute(
      await home.deploy({
        nodes: [
          control('each', 'forEach', { items: [1, 2, 3], concurrency: 3 }),
          { ...wait, parentId: 'each' },
          { ...set('then'), parentId: 'each' },
        ],
        edges: chain('wait', 'then'),
      }),
    ),
  ]);
  for (const id of ids) {
    await poll(async () => (await home.read(id)).executionPath.length, { timeout: 20_000 }).toBeGreaterThan(0);
  }
  // Simulates a replica without the last second.
  await database.execution.deleteMany({ where: { id: { in: ids } } });
  for (const id of ids) expect(await engineStatus(id, client)).toBe('FAILED');
}, 120_000);

test('our own failure in a step is one of the step, after some tries, with no data in the history', async () => {
  const caught = await home.run({
    nodes: [set('before'), broken('bad', { onError: 'continue' }), set('after')],
    edges: chain('before', 'bad', 'after'),
  });
  expect(caught).toMatchObject({ status: 'COMPLETED' });
  expect(statuses(caught)).toEqual({ before: 'COMPLETED', bad: 'FAILED', after: 'COMPLETED' });
  expect(stepOf(caught, 'bad').error).toMatchObject({ code: 'INTERNAL' });
  const history = await client.workflow.getHandle(caught.id).fetchHistory();
  expect(JSON.stringify(history)).not.toContain(Buffer.from('data of somebody').toString('base64').slice(2, -4));
}, 120_000);

test('between tries it detects its cancellation', async () => {
  const executionId = await home.execute(
    await home.deploy({ nodes: [set('a'), broken('bad')], edges: chain('a', 'bad') }),
  );
  const handle = client.workflow.getHandle(executionId);
  // A timer separates the tries.
  await poll(
    async () => (await handle.fetchHistory()).events?.some((event) => event.timerStartedEventAttributes) ?? false,
    { timeout: 30_000 },
  ).toBe(true);
  expect((await home.api('POST', `/api/executions/${executionId}/cancel`)).body.status).toBe('CANCELLED');
}, 120_000);

test('a step whose worker is lost three times fails with WORKER_LOST, unlike the parallel steps', async () => {
  const executionId = await home.execute(
    await home.deploy({
      nodes: [question('ask'), set('before'), deadly('deadly', { onError: 'route' }), set('caught')],
      edges: [
        ...chain('ask', 'before', 'deadly'),
        { id: 'e', source: 'deadly', sourceHandle: 'error', target: 'caught' },
      ],
    }),
  );
  await home.asked(executionId, 'ask');
  await home.submit(executionId, 'ask', { answer: 'x' }).catch(() => undefined);
  let deaths = 0;
  const pids = await stack.pids();
  let main = pids.main;
  for (;;) {
    const status = await statusOrDeath(executionId, main);
    if (status !== 'died') break;
    deaths += 1;
    await stack.killMain();
    await stack.startAgain(build.dist);
    main = (await stack.pids()).main;
  }
  const execution = await home.ended(executionId);
  expect(execution.status).toBe('COMPLETED');
  expect(statuses(execution)).toEqual({ ask: 'COMPLETED', before: 'COMPLETED', deadly: 'FAILED', caught: 'COMPLETED' });
  expect(stepOf(execution, 'deadly').error).toMatchObject({ code: 'WORKER_LOST' });
  expect(deaths).toBe(3);
  expect(await database.lostTry.count()).toBe(0);
}, 400_000);

/** Returns `died` if the process died, otherwise the execution's final status. */
async function statusOrDeath(executionId: string, main: number): Promise<string> {
  for (;;) {
    try {
      process.kill(main, 0);
    } catch {
      return 'died';
    }
    const read = await home.read(executionId).catch(() => undefined);
    if (read && ['COMPLETED', 'FAILED', 'CANCELLED'].includes(read.status)) return read.status;
    await new Promise((go) => setTimeout(go, 250));
  }
}

test('a step whose action this build lacks waits for a build that has it, and says so', async () => {
  const inline = await home.execute(await home.deploy({ nodes: [action('id', 'crypto.uuid')] }));
  const remote = await home.execute(await home.deploy({ nodes: [action('far', 'testing.payload', { bytes: 1 })] }));
  const timers = async () => {
    const { events } = await client.workflow.getHandle(inline).fetchHistory();
    return events?.filter((event) => event.timerStartedEventAttributes).length ?? 0;
  };
  const pending = async () => (await client.workflow.getHandle(remote).describe()).raw.pendingActivities?.[0];
  // More tries than for our own failures.
  await poll(timers, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
  await poll(async () => (await pending())?.attempt ?? 0, { timeout: 60_000 }).toBeGreaterThanOrEqual(5);
  expect((await pending())?.lastFailure?.applicationFailureInfo?.type).toBe('ACTION_UNKNOWN');
  const log = await readFile(join(stack.dataDir, 'logs/perdure.log'), 'utf8');
  expect(log).toContain('This build has no action crypto.of a newer build');
  expect((await home.read(inline)).status).toBe('PENDING');
  expect((await home.read(remote)).status).toBe('RUNNING');
  await stack.stop();
  await stack.startAgain();
  for (const id of [inline, remote]) expect((await home.ended(id)).status).toBe('COMPLETED');
}, 240_000);
