// test: long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import pg from 'pg';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { eventReceiver } from '../setup/providers/eventReceiver.ts';
import { startPrometheus } from '../setup/providers/prometheus.ts';
import { findPrometheusTool } from '../setup/providers/prometheusTools.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';

// Provokes each alert of deploy/prometheus by its cause, on a real stack with a real Prometheus whose rules count
// minutes as seconds. docs/runbook.md explains how to react.

const QUICKER = 60;
/** A late scrape on a busy machine would restart an alert's waiting time. */
const POLL = { timeout: 240_000, interval: 300 };
/** Other tests evaluate these with promtool: embedded/certificateEnds.test.ts, versions.test.ts. */
const NOT_PROVOKED = ['PerdureCertificateEnds', 'PerdureReplayErrors'];
const ALERTS = (
  parse(readFileSync(join(PROJECT_ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string }[] }[];
  }
).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

const { stack, home, database } = await ownHome({
  environment: {
    GAUGES_INTERVAL_MS: '100',
    RECONCILE_INTERVAL_MS: '300',
    METRICS_WORKFLOWS: 'nightly',
    DATABASE_POOL_SIZE: '3',
    // Longer than a duty must fail for the alert: a worker without its leases does not try.
    DUTY_LEASE_MS: '45000',
  },
});

const WAITS = { nodes: [question('ask', { submitters: 'members' })], edges: chain('trigger', 'ask') };
const FAILS = {
  nodes: [action('fail', 'testing.fail', {}, { retry: { maximumAttempts: 1 } })],
  edges: chain('trigger', 'fail'),
};
const QUICK = { nodes: [action('a', 'testing.wait', { ms: 1 })], edges: chain('trigger', 'a') };

const times = <Value>(count: number, work: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const withPrometheus = (await findPrometheusTool('prometheus')) === undefined ? test.skip : test;

withPrometheus(
  'each alert fires where it should, and ends when its cause is over',
  async () => {
    const prometheus = await startPrometheus(QUICKER);
    onTestFinished(() => prometheus.stop());
    const seen = new Set<string>();
    const fires = (...names: string[]) => poll(() => [...seen], POLL).toEqual(expect.arrayContaining(names));

    await prometheus.watch([stack.metricsUrl]);
    await poll(() => prometheus.query('perdure_questions_open'), POLL).not.toEqual([]);
    // The reconciler ran before the first scrape.
    await poll(() => prometheus.firing(), POLL).toEqual([]);
    const look = async () => {
      for (const name of await prometheus.firing()) seen.add(name);
    };
    const watching = setInterval(() => look().catch(() => undefined), 300);
    onTestFinished(() => clearInterval(watching));

    // Alerts that need an hour or a day begin first.
    const nightly = await home.deploy({ slug: 'nightly', ...QUICK });
    await home.ended(await home.execute(nightly));
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const key = await home.api('POST', '/api/api-keys', {
      body: { name: 'ends soon', permissions: ['projects:read'], expiresAt },
    });
    expect(key.status).toBe(201);
    // A key made for one day ends on purpose, and so does a question of half an hour; so backdate them.
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    await database.apiKey.update({ where: { id: key.body.id }, data: { lastUsedAt: new Date(), createdAt: longAgo } });
    await connected();

    await home.asked(
      await home.execute(
        await home.deploy({
          nodes: [question('soon', { expiresInMs: 1_800_000 })],
          edges: chain('trigger', 'soon'),
        }),
      ),
      'soon',
    );
    await database.pendingInput.updateMany({ where: { nodeId: 'soon' }, data: { requestedAt: longAgo } });
    const stuck = await makeQueue(database, home);
    const drains = await home.deploy({
      ...QUICK,
      trigger: { id: 'trigger', type: 'queue', config: { queueId: stuck } },
    });
    expect((await home.api('POST', `/api/workflows/${drains}/pause`)).status).toBe(200);
    await addItems(database, home.workspaceId, stuck, [{}]);
    await database.$executeRaw`UPDATE queue_items SET updated_at = now() - interval '2 days' WHERE queue_id = ${stuck}::uuid`;
    const leased = await makeQueue(database, home, { maxRetries: 100 });
    await addItems(
      database,
      home.workspaceId,
      leased,
      Array.from({ length: 8 }, () => ({})),
    );
    const claim = { limit: 8, leaseMs: 1_000 };
    expect((await home.api('POST', `/api/queues/${leased}/items/claim`, { body: claim })).body).toHaveLength(8);

    const receiver = await eventReceiver(() => 410);
    const events = { url: receiver.url, events: ['execution.completed'] };
    expect((await home.api('POST', '/api/event-subscriptions', { body: events })).status).toBe(201);
    await home.ended(await home.execute(nightly));
    // The alert needs a baseline.
    const usual = `rate(perdure_executions_ended_total{status="FAILED"}[1d] offset ${(15 * 60) / QUICKER}s)`;
    await poll(() => prometheus.query(usual), POLL).not.toEqual([]);
    const failing = await home.deploy(FAILS);
    await times(30, () => home.execute(failing));
    await fires('PerdureFailuresAboveUsual');

    const waiting = await home.deploy(WAITS);
    const open: string[] = [];
    // On a busy machine, a burst of all starts would find no free database connection.
    for (let burst = 0; burst < 9; burst += 1) open.push(...(await times(20, () => home.execute(waiting))));
    const begun = () => database.execution.count({ where: { workflowId: waiting, status: 'NEEDS_INPUT' } });
    await poll(begun, POLL).toBe(open.length);
    const connection = await connectionTo(stack.temporalAddress);
    onTestFinished(() => connection.close());
    const { workflow } = new Client({ connection });
    for (const from of [0, 60, 120]) {
      await Promise.all(open.slice(from, from + 60).map((id) => workflow.getHandle(id).terminate()));
      await sleep(5_000);
    }
    await fires('PerdureReconcilerRepairs');

    const fired = new AbortController();
    const away = stack.holdTemporalDown(POLL.timeout, fired.signal);
    await times(5, () => home.execute(waiting));
    await fires('PerdureStartsDelayed');
    fired.abort();
    await away;
    await fires('PerdureWorkflowSilent');
    await fires(
      'PerdureQuestionsExpiring',
      'PerdureQueueStuck',
      'PerdureQueueWaits',
      'PerdureLeasesExpire',
      'PerdureEventsGivenUp',
      'PerdureKeysEnd',
      'PerdureConnectionsBroken',
    );

    const blocker = new pg.Client({ connectionString: stack.databaseUrl });
    blocker.on('error', () => undefined);
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE workflows, executions, queues IN ACCESS EXCLUSIVE MODE');
    const reads = times(20, () => home.api('GET', '/api/queues').catch(() => undefined));
    await fires('PerdureDatabasePoolExhausted');
    await blocker.query('ROLLBACK');
    await blocker.end();
    await reads;

    // After a failover the database is a replica: it responds but rejects writes.
    await stack.refuseWrites(true);
    let isOver = false;
    const calls = (async () => {
      const item = { body: { items: [{ data: {} }] } };
      while (!isOver) {
        await times(5, () => home.api('POST', `/api/queues/${stuck}/items/bulk`, item).catch(() => undefined));
        // Without a pause, the reconciler's duties get no connection and fail too rarely.
        await sleep(200);
      }
    })();
    await fires('PerdureRequestsFail', 'PerdureReconcilerFails');
    isOver = true;
    await calls;
    await stack.refuseWrites(false);

    await stack.killMain();
    await fires('PerdureDown', 'PerdureNoWorker', 'PerdureGaugesMissing');
    await stack.startAgain();
    await prometheus.watch([stack.metricsUrl]);
    const mended = [
      'PerdureDown',
      'PerdureNoWorker',
      'PerdureGaugesMissing',
      'PerdureRequestsFail',
      'PerdureStartsDelayed',
    ];
    const unmended = async () => (await prometheus.firing()).filter((name) => mended.includes(name));
    await poll(unmended, POLL).toEqual([]);

    expect([...seen, ...NOT_PROVOKED].sort()).toEqual([...ALERTS].sort());
  },
  900_000,
);

async function connected(): Promise<void> {
  const made = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { name: 'broken', credentials: { apiKey: 'k', allowedHosts: 'a.example' } },
  });
  expect(made.status).toBe(200);
  await database.connection.updateMany({ data: { status: 'needsReconnect' } });
}
