// test: long
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import pMap from 'p-map';
import { countsOf, makeQueue } from '../setup/database/queueRows.ts';
import { poll } from '../setup/jest/poll.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';

const ROWS = 8_000;
const ADDED = 80;
const OPEN = 80;
const RETRIED = 20;
/** Kills during the steps of a queue. Long form: KILLS=3. */
const KILLS = Number(process.env.KILLS ?? 1);
const PATIENCE = { timeout: 120_000, interval: 20 };

const { stack, home, database } = await ownHome({ environment: { IDEMPOTENCY_LOCK_MS: '5000' } });

test('killed amid an import, the same request again makes each row once', async () => {
  const attributeSchema = { type: 'object', properties: { number: { type: 'number' } } };
  await home.api('POST', '/api/object-types/upsert', { body: { slug: 'thing', attributeSchema } });
  const body = {
    objectTypeSlug: 'thing',
    columnMappings: { Name: 'name', Number: 'number' },
    rows: Array.from({ length: ROWS }, (_, number) => ({ Name: `Thing ${number}`, Number: number })),
  };
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => home.api('POST', '/api/objects/import', { body, headers });
  const written = () => database.object.count({ where: { workspaceId: home.workspaceId } }).catch(() => 0);
  const first = send().then(
    ({ status }) => status,
    () => 'broke off',
  );
  await poll(written, PATIENCE).toBeGreaterThan(0);
  await stack.killMain();
  expect(await first).toBe('broke off');
  await stack.startAgain();
  const left = await written();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(ROWS);
  // The claim of a key whose process died is taken over after its timeout.
  await poll(async () => (await send()).body, { timeout: 120_000, interval: 500 }).toMatchObject({
    total: ROWS,
    created: ROWS,
    failed: 0,
  });
  expect(await written()).toBe(ROWS);
  const changes = await database.objectChange.count({ where: { workspaceId: home.workspaceId } });
  expect(changes).toBe(ROWS);
}, 240_000);

test('killed amid a termination of many, the same request again ends the rest, and each once', async () => {
  const workflowId = await home.deploy({ nodes: [question('ask')] });
  const ids = await pMap(Array(OPEN).keys(), () => home.execute(workflowId), { concurrency: 5 });
  for (const id of ids) await home.asked(id, 'ask');
  const headers = { 'idempotency-key': randomUUID() };
  const body = { filterBy: `workflowId:${workflowId}`, terminate: true, reason: 'Stuck' };
  const send = () => home.api('POST', '/api/executions/bulk/cancel', { body, headers });
  const ended = () => database.execution.count({ where: { workflowId, status: 'CANCELLED' } }).catch(() => 0);
  const first = send().then(
    ({ status }) => status,
    () => 'broke off',
  );
  await poll(ended, PATIENCE).toBeGreaterThan(0);
  await stack.killMain();
  expect(await first).toBe('broke off');
  const before = await ended();
  expect(before).toBeLessThan(OPEN);
  await stack.startAgain();
  await poll(async () => (await send()).body, { timeout: 120_000, interval: 500 }).toMatchObject({
    failed: [],
    remaining: 0,
  });
  const answer = (await send()).body;
  expect(answer.accepted).toBe(answer.matched);
  for (const id of ids) {
    expect(await home.read(id)).toMatchObject({ status: 'CANCELLED', statusMessage: 'Stuck', pendingInput: [] });
  }
  expect(answer.matched).toBeLessThanOrEqual(OPEN - before);
  const connection = await connectionTo(stack.temporalAddress);
  const { workflow } = new Client({ connection });
  for (const id of ids) expect((await workflow.getHandle(id).describe()).status.name).toBe('TERMINATED');
  await connection.close();
}, 240_000);

test('killed amid two retries at once of each execution, one retry of each lives, and the other request gets 409', async () => {
  const ready = { body: { name: 'ready', value: false } };
  const { body: variable } = await home.api('POST', '/api/variables', ready);
  const workflowId = await home.deploy({
    nodes: [action('check', 'core.assert', { condition: '{{ variables.ready }}' }), question('ask')],
    edges: chain('check', 'ask'),
  });
  const ids = await pMap(Array(RETRIED).keys(), () => home.execute(workflowId), { concurrency: 5 });
  for (const id of ids) expect((await home.ended(id)).status).toBe('FAILED');
  await home.api('PATCH', `/api/variables/${variable.id}`, { body: { value: true } });

  const pairs = ids.map((id) => ({ id, keys: [randomUUID(), randomUUID()] }));
  const send = ({ id, keys }: (typeof pairs)[number]) =>
    Promise.all(
      keys.map((key) =>
        home.api('POST', `/api/executions/${id}/retry`, { body: {}, headers: { 'idempotency-key': key } }),
      ),
    );
  const retries = () => database.execution.findMany({ where: { retryOfId: { in: ids } } });
  const written = async () => (await retries().catch(() => [])).length;
  const first = pairs.map((pair) =>
    send(pair).then(
      () => 'answered',
      () => 'broke off',
    ),
  );
  await poll(written, PATIENCE).toBeGreaterThan(0);
  await stack.killMain();
  expect(await Promise.all(first)).toContain('broke off');
  await stack.startAgain();

  for (const pair of pairs) {
    let answers: Awaited<ReturnType<typeof send>> = [];
    // The key of a dead request is locked for IDEMPOTENCY_LOCK_MS.
    const outcomes = async () => {
      answers = await send(pair);
      return answers.map(({ status, body }) => body.code ?? status).toSorted();
    };
    await poll(outcomes, { timeout: 60_000, interval: 500 }).toEqual([201, 'ALREADY_RETRIED']);
    const [accepted, refused] = answers.toSorted((one, other) => one.status - other.status);
    expect(refused).toMatchObject({ status: 409, body: { retryId: accepted?.body.executionId } });
    await home.asked(accepted?.body.executionId, 'ask');
  }
  expect((await retries()).map(({ retryOfId }) => retryOfId).toSorted()).toEqual(ids.toSorted());
}, 240_000);

test('killed amid steps of the app queue, each step has added and settled once', async () => {
  const source = await makeQueue(database, home, { isActive: false, batchSize: ADDED, maxRetries: 0 });
  const target = await makeQueue(database, home, { isActive: false });
  const items = Array.from({ length: ADDED }, (_, n) => ({ data: { n } }));
  await home.api('POST', `/api/queues/${source}/items/bulk`, { body: { items } });
  await home.deploy({
    trigger: { id: 'trigger', type: 'queue', config: { queueId: source } },
    nodes: [
      control('each', 'forEach', { items: '{{ trigger.items }}', concurrency: 4 }),
      action('add', 'queue.add', { queueId: target, data: '{{ loop.item.data }}' }, { parentId: 'each' }),
      action('done', 'queue.complete', { itemId: '{{ loop.item.id }}' }, { parentId: 'each' }),
    ],
    edges: [{ id: 'e', source: 'add', target: 'done' }],
  });
  await database.queue.update({ where: { id: source }, data: { isActive: true } });
  const added = async () =>
    Object.values(await countsOf(database, target).catch(() => ({}))).reduce((a, b) => a + b, 0);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await poll(added, PATIENCE).toBeGreaterThan((kill * ADDED) / (KILLS + 2));
    await stack.killMain();
    await stack.startAgain();
  }
  await poll(() => countsOf(database, source).catch(() => undefined), PATIENCE).toEqual({ COMPLETED: ADDED });
  expect(await countsOf(database, target)).toEqual({ PENDING: ADDED });
  const rows = await database.queueItem.findMany({ where: { queueId: target }, select: { data: true } });
  const numbers = rows.map(({ data }) => (data as { n: number }).n).sort((a, b) => a - b);
  expect(numbers).toEqual(items.map(({ data }) => data.n));
  const drained = await database.queueItem.findMany({ where: { queueId: source }, select: { id: true } });
  const itemId = { in: drained.map(({ id }) => id) };
  const moves = await database.queueItemMove.count({ where: { itemId, to: 'COMPLETED' } });
  expect(moves).toBe(ADDED);
}, 240_000);

describe('bundles', () => {
  // test/embedded/bundleKilled.test.ts covers each statement of the transaction. Here the whole process is killed, and
  // the request is repeated.
  const HELD_S = 8;

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
      return body.map(
        ({ nextScheduledExecution }: { nextScheduledExecution: unknown }) => typeof nextScheduledExecution,
      );
    };
    await poll(next, PATIENCE).toEqual(['string', 'string']);
  }, 240_000);
});
