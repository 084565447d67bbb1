import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { createDatabase } from '../../prisma/client.ts';
import { migrate } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { countEffects } from '../chaos/effects.ts';
import { api } from '../setup/api/client.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import type { Stack } from '../setup/stack/ownStack.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, manual, question, webhook } from '../setup/workspace/graph.ts';
import { homeOn } from '../setup/workspace/home.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { startBalancer } from './balancer.ts';
import { buildBefore } from './oldBuild.ts';
import { ownLayout } from './ownLayout.ts';

// The steps of docs/upgrade.md under load, from an earlier build to this one: npm run test:upgrade

const run = promisify(execFile);
const { api: environment } = inject('production');
const isWanted = process.env.TEST_UPGRADE !== undefined;
if (!isWanted) process.stderr.write('perdure  the upgrade is not tried: npm run test:upgrade\n');
/** Between two steps, so that each step meets requests. */
const BETWEEN_MS = 4_000;
/** Below MAX_STREAMS_PER_CALLER. */
const MAX_STREAMS = 50;
const UPGRADE_MS = 1_200_000;
const DEPLOYMENT = 'upgrade';

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

(isWanted ? test : test.skip)(
  'under load workers and APIs of the build before give way to this one, and come back: no request fails, no execution is lost',
  async () => {
    const before = await buildBefore();
    if (typeof before === 'string') {
      console.log(`upgrade: not tried, ${before}`);
      return;
    }
    onTestFinished(before.remove);
    const name = `upgrade_${randomBytes(6).toString('hex')}`;
    await onServer(`CREATE DATABASE ${name}`);
    onTestFinished(() => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    const layout = ownLayout();
    onTestFinished(() => layout.dispose());
    const databaseUrl = Object.assign(new URL(process.env.DATABASE_URL as string), { pathname: `/${name}` }).href;
    await migrate(databaseUrl);
    const { address } = { address: inject('stack').temporalAddress };
    const common = { ...environment, DATABASE_URL: databaseUrl, TEMPORAL_TASK_QUEUE: name };
    const ofBuild = (buildId: string) => ({
      ...common,
      TEMPORAL_DEPLOYMENT_NAME: `${DEPLOYMENT}-${name}`,
      TEMPORAL_WORKER_BUILD_ID: buildId,
    });
    const adminOf = async (dist: string, ...args: string[]) => {
      const main = join(dist, 'api/admin/main.js');
      const { stdout } = await run(process.execPath, [main, ...args], { env: ofBuild('new'), maxBuffer: 10_000_000 });
      return JSON.parse(stdout);
    };
    const admin = (...args: string[]) => adminOf(join(PROJECT_ROOT, 'dist'), ...args);
    const replayBefore = () => adminOf(before.dist, 'replay', '--limit', '200');

    const [oldEnvironment, newEnvironment] = [before.namesBuilds ? ofBuild('old') : common, ofBuild('new')];
    const oldWorkers = await Promise.all([1, 2].map(() => layout.startWorker(oldEnvironment, before.dist)));
    if (before.namesBuilds) await admin('builds', 'use', '--build', 'old');
    const oldApis = await Promise.all([1, 2].map(() => layout.startApi(oldEnvironment, before.dist)));
    const urls = oldApis.map(({ url }) => url);
    const balancer = await startBalancer(urls);
    onTestFinished(() => balancer.stop());
    const database = createDatabase(databaseUrl, 1);
    const credentials = await makeWorkspace({ url: balancer.url, database }).finally(() => database.close());
    const home = homeOn({ credentials, url: balancer.url } as unknown as Stack);

    const effects = await countEffects();
    const inline = await home.deploy({
      trigger: webhook({ respond: 'whenFinished' }),
      nodes: ['a', 'b', 'c'].map((id) => action(id, 'core.transform', { value: '{{ trigger.body.n + 1 }}' })),
      edges: chain('a', 'b', 'c'),
    });
    const call = (id: string) =>
      action(id, 'http.request', { method: 'POST', url: `${effects.url}/{{ execution.id }}/${id}` });
    const remote = await home.deploy({
      trigger: manual(),
      nodes: ['x', 'y', 'z'].map(call),
      edges: chain('x', 'y', 'z'),
    });
    const asking = await home.deploy({
      trigger: manual(),
      nodes: [question('ask'), call('after')],
      edges: chain('ask', 'after'),
    });
    const open = api(balancer.url);
    const loaded = { stop: false };
    const failures: string[] = [];
    const counts = { answered: 0, started: 0 };
    const started: string[] = [];
    const asked: string[] = [];
    const attempt = async (work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${(error as Error).message}`);
      }
    };
    const until = async (work: () => Promise<void>, pauseMs: number) => {
      while (!loaded.stop) {
        await attempt(work);
        await sleep(pauseMs);
      }
    };
    const clients = [
      ...[1, 2, 3].map((n) =>
        until(async () => {
          const { status, body } = await open('POST', `/api/webhooks/workflows/${inline}`, { body: { n } });
          if (status !== 200 || body !== n + 1)
            throw new Error(`the webhook answered ${status} ${JSON.stringify(body)}`);
          counts.answered += 1;
        }, 50),
      ),
      until(async () => void started.push(await home.execute(remote)), 150),
      until(async () => void asked.push(await home.execute(asking)), 400),
      until(async () => {
        const { status } = await home.api('GET', '/api/executions?limit=20');
        if (status !== 200) throw new Error(`the list answered ${status}`);
      }, 200),
    ];
    await sleep(BETWEEN_MS);

    // The steps of docs/upgrade.md.
    const startedAt = Date.now();
    expect((await admin('replay', '--limit', '200')).broken).toEqual([]);
    const newWorkers = await Promise.all([1, 2].map(() => layout.startWorker(newEnvironment)));
    const current = expect.objectContaining({ buildId: 'new', isCurrent: true });
    const refusals = new Set<string>();
    const use = async (build: string) => {
      try {
        return (await admin('builds', 'use', '--build', build)).builds;
      } catch (error) {
        refusals.add(String((error as { stderr?: string }).stderr).slice(0, 300));
        throw error;
      }
    };
    const from = Date.now();
    await poll(() => use('new'), { timeout: 180_000, interval: 1_000 }).toEqual(expect.arrayContaining([current]));
    const currentAfterMs = Date.now() - from;
    await sleep(BETWEEN_MS);
    const drains = await Promise.all(
      oldWorkers.map(async (worker) => {
        const stoppedAt = Date.now();
        await worker.stop(30_000);
        return Date.now() - stoppedAt;
      }),
    );
    const newApis: typeof oldApis = [];
    for (const old of oldApis) {
      const one = await layout.startApi(newEnvironment);
      newApis.push(one);
      urls.splice(urls.indexOf(old.url), 1, one.url);
      await old.child.stop(30_000);
      await sleep(BETWEEN_MS / 2);
    }
    const tookMs = Date.now() - startedAt;
    expect(await pollersOf(address, name)).toEqual(newWorkers.map((worker) => worker.pid()).sort());
    const diagnosis = await admin('doctor');
    expect(diagnosis.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);

    // Back again by the same steps, for executions that began on this build, too.
    const backFrom = Date.now();
    if (before.namesBuilds) {
      expect((await replayBefore()).broken).toEqual([]);
      const workers = await Promise.all([1, 2].map(() => layout.startWorker(oldEnvironment, before.dist)));
      await poll(() => use('old'), { timeout: 180_000, interval: 1_000 }).toEqual(
        expect.arrayContaining([expect.objectContaining({ buildId: 'old', isCurrent: true })]),
      );
      await Promise.all(newWorkers.map((worker) => worker.stop(30_000)));
      for (const one of newApis) {
        const { url } = await layout.startApi(oldEnvironment, before.dist);
        urls.splice(urls.indexOf(one.url), 1, url);
        await one.child.stop(30_000);
        await sleep(BETWEEN_MS / 2);
      }
      expect(await pollersOf(address, name)).toEqual(workers.map((worker) => worker.pid()).sort());
    }
    const backMs = Date.now() - backFrom;
    loaded.stop = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);

    for (const id of asked) expect((await home.submit(id, 'ask', { answer: 'yes' })).status).toBe(200);
    // In groups, because each needs a stream.
    const all = [...started, ...asked];
    for (let from = 0; from < all.length; from += MAX_STREAMS) {
      const ended = await Promise.all(all.slice(from, from + MAX_STREAMS).map((id) => home.ended(id)));
      expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'COMPLETED'));
    }
    // Includes those of webhooks.
    const stored = createDatabase(databaseUrl, 1);
    const unended = { status: { not: 'COMPLETED' } };
    expect(await stored.execution.count({ where: unended }).finally(() => stored.close())).toBe(0);
    console.log(
      `upgrade: ${JSON.stringify({
        ...{
          from: before.commit.slice(0, 8),
          namesBuilds: before.namesBuilds,
          tookMs,
          backMs: before.namesBuilds ? backMs : 'not tried, it names no builds',
          currentAfterMs,
          drains,
          refusals: [...refusals],
        },
        ...{ answered: counts.answered, started: started.length, asked: asked.length, failures: failures.length },
      })}`,
    );
  },
  UPGRADE_MS,
);

/** Pids that have polled for workflow tasks in the last seconds. */
async function pollersOf(address: string, name: string): Promise<number[]> {
  const connection = await connectionTo(address);
  try {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace: environment.TEMPORAL_NAMESPACE ?? 'default',
      taskQueue: { name },
      taskQueueType: 1,
    });
    const recent = (pollers ?? []).filter(
      ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < 75_000,
    );
    const pids = recent.map(({ identity }) => Number.parseInt(identity ?? '', 10));
    return [...new Set(pids)].filter((pid) => isAlive(pid)).sort();
  } finally {
    await connection.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
