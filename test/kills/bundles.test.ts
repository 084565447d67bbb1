// test: long
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, control } from '../setup/workspace/graph.ts';

// test/embedded/bundleKilled.test.ts covers each statement of the transaction. Here the whole process is killed, and
// the request is repeated.

const PATIENCE = { timeout: 120_000, interval: 50 };
const HELD_S = 8;

const { stack, home, database } = await ownHome({ environment: { IDEMPOTENCY_LOCK_MS: '5000' } });

const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 3_600_000 } };
const resources = () => [
  { kind: 'queue', slug: 'refunds', name: 'Refunds' },
  { kind: 'variable', slug: 'LIMIT', value: 7 },
  ...['a', 'b'].map((slug) => ({
    ...{ kind: 'workflow', slug, trigger, edges: [] },
    nodes: [
      control('call', 'runWorkflow', { workflowId: `@workflow/${slug === 'a' ? 'b' : 'a'}` }),
      action('add', 'queue.add', { queueId: '@queue/refunds', data: {} }),
    ],
  })),
];

/** Creates a project and returns its repeatable request and the expected response. */
async function prepared() {
  const { id } = (await home.api('POST', '/api/projects', { body: { name: randomUUID() } })).body;
  const headers = { 'idempotency-key': randomUUID() };
  const path = `/api/projects/${id}/apply`;
  const body = { resources: resources() };
  const dry = await home.api('POST', path, { body: { ...body, dryRun: true } });
  expect(dry.status).toBe(200);
  return {
    id,
    wanted: { ...dry.body, applied: true },
    send: () => home.api('POST', path, { body, headers }),
    slugs: async () =>
      (await home.api('GET', `/api/projects/${id}/export`)).body.resources.map(({ slug }: { slug: string }) => slug),
    versions: async () => {
      const { rows } = await database.pool.query(
        `SELECT count(*)::int AS count FROM workflow_versions v JOIN workflows w ON w.id = v.workflow_id
         WHERE w.project_id = $1`,
        [id],
      );
      return rows[0]?.count as number;
    },
  };
}

const ALL = ['refunds', 'LIMIT', 'a', 'b'];

const brokenOff = (sent: Promise<{ status: number }>) =>
  sent.then(
    ({ status }) => status,
    () => 'broke off',
  );

/** A sequence ignores transactions, so it shows that the statement has begun. Other PGlite clients wait meanwhile. */
async function holdLastStatement(): Promise<{ isHeld: () => Promise<boolean>; release: () => Promise<void> }> {
  for (const statement of [
    'CREATE SEQUENCE held',
    `CREATE FUNCTION hold_apply() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE v_until timestamptz := clock_timestamp() + ${HELD_S} * interval '1 second';
      BEGIN
        PERFORM nextval('held');
        WHILE clock_timestamp() < v_until LOOP PERFORM pg_sleep(0.05); END LOOP;
        RETURN NEW;
      END $$`,
    'CREATE TRIGGER hold_apply BEFORE UPDATE OF last_apply_id ON projects FOR EACH ROW EXECUTE FUNCTION hold_apply()',
  ]) {
    await database.pool.query(statement);
  }
  const hasBegun = () =>
    database.pool.query('SELECT is_called FROM held').then(
      ({ rows }) => rows[0]?.is_called === true,
      () => false,
    );
  return {
    isHeld: () => Promise.race([hasBegun(), sleep(2_000, true)]),
    release: async () => {
      await database.pool.query('DROP TRIGGER hold_apply ON projects');
    },
  };
}

test('killed amid the transaction of a bundle, nothing is there; the same request again makes all of it', async () => {
  const { wanted, send, slugs, versions } = await prepared();
  const hold = await holdLastStatement();
  const first = brokenOff(send());
  await poll(hold.isHeld, PATIENCE).toBe(true);
  await stack.killMain();
  expect(await first).toBe('broke off');
  await stack.startAgain();
  await poll(() => hold.release().then(() => 'released', String), PATIENCE).toBe('released');
  expect(await slugs()).toEqual([]);
  expect(await versions()).toBe(0);
  await poll(async () => (await send()).body, PATIENCE).toEqual(wanted);
  expect(await slugs()).toEqual(ALL);
  expect(await versions()).toBe(2);
}, 240_000);

test('killed after the commit of a bundle, all is there; the same request again gets the answer of the first', async () => {
  const { id, wanted, send, slugs, versions } = await prepared();
  const { main, temporal = 0 } = await stack.pids();
  // Temporal does not accept the schedules, so the request waits after its commit.
  process.kill(temporal, 'SIGSTOP');
  const first = brokenOff(send());
  try {
    await poll(versions, PATIENCE).toBe(2);
    process.kill(main, 'SIGKILL');
  } finally {
    process.kill(temporal, 'SIGCONT');
  }
  await stack.killMain();
  expect(await first).toBe('broke off');
  await stack.startAgain();
  expect(await slugs()).toEqual(ALL);
  await poll(async () => (await send()).body, PATIENCE).toEqual(wanted);
  expect(await versions()).toBe(2);
  const next = async () => {
    const path = `/api/workflows?expansion=nextScheduledExecution&filterBy=projectId:${id}`;
    const { body } = await home.api('GET', path);
    return body.map(({ nextScheduledExecution }: { nextScheduledExecution: unknown }) => typeof nextScheduledExecution);
  };
  await poll(next, PATIENCE).toEqual(['string', 'string']);
}, 240_000);
