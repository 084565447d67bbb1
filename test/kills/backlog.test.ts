// test: long
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findTemporal } from '../../embedded/temporalBinary.ts';
import { startTemporal } from '../../embedded/temporalServer.ts';
import { createDatabase } from '../../prisma/client.ts';
import { anyPort } from '../../process/ports.ts';
import { poll } from '../setup/jest/poll.ts';
import { startStack } from '../setup/stack/ownStack.ts';
import { startPart } from '../setup/stack/partOfStack.ts';
import { countStarts } from '../setup/stack/startCounter.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeOn } from '../setup/workspace/home.ts';

// Work accepted while Temporal was away starts when it is back; each of many simultaneous starts is queued in one
// process. The long form: STARTS=60000 AWAY_MS=600000 npm test -- test/kills/backlog

const STARTS = Number(process.env.STARTS ?? 1_000);
const AWAY_MS = Number(process.env.AWAY_MS ?? 15_000);
/** Includes the time that a loaded machine needs. */
const DONE_MS = 120_000 + STARTS * 150;
const AT_ONCE = 16;
const BURST = 300;
const MAX_CALLS = BURST * 1.1;

const say = () => undefined;
const dataDir = await mkdtemp(join(tmpdir(), 'perdure-backlog-'));
const port = await anyPort();
const command = await findTemporal(process.env, say);
const ports = { port, ui: { host: '127.0.0.1', port: await anyPort() } };
const startServer = () => startTemporal({ command, dataDir, ...ports, namespace: 'default', say });
let temporal = await startServer();
const counter = await countStarts(temporal.address);
const stack = await startStack({ temporalAddress: counter.address, environment: { RECONCILE_INTERVAL_MS: '1000' } });
const home = homeOn(stack);
// Only an external Postgres serves several processes.
const parts = process.env.DATABASE_URL
  ? [await startPart(stack, 'worker', { METRICS_PORT: '0' }), await startPart(stack, 'worker', { METRICS_PORT: '0' })]
  : [];
const otherPort = await anyPort();
if (process.env.DATABASE_URL) {
  parts.push(
    await startPart(stack, 'api', { METRICS_PORT: '0', PORT: String(otherPort), TEMPORAL_ADDRESS: counter.address }),
  );
}
const database = createDatabase(stack.databaseUrl, 1);

afterAll(async () => {
  await database.close();
  for (const part of parts) await part.kill();
  await stack.dispose();
  await counter.close();
  await temporal.child.stop(5_000);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function accept(workflowId: string): Promise<string[]> {
  const ids: string[] = [];
  let left = STARTS;
  const caller = async () => {
    for (; left > 0; ) {
      left -= 1;
      ids.push(await home.execute(workflowId));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return ids;
}

test(
  'after an engine that was away, each of many accepted starts is tried once, few of them twice',
  async () => {
    const workflowId = await home.deploy({ nodes: [action('a', 'testing.succeed')] });
    await home.ended(await home.execute(workflowId));
    await temporal.child.stop(5_000);
    const away = Date.now();
    const ids = await accept(workflowId);
    await new Promise((go) => setTimeout(go, Math.max(0, AWAY_MS - (Date.now() - away))));
    expect(await database.execution.count({ where: { workflowId, status: 'PENDING' } })).toBe(STARTS);
    counter.starts.clear();
    temporal = await startServer();
    const back = Date.now();
    const completed = () => database.execution.count({ where: { workflowId, status: 'COMPLETED' } });
    await poll(completed, { timeout: DONE_MS, interval: 500 }).toBe(STARTS + 1);
    const seconds = (Date.now() - back) / 1_000;
    const tries = ids.map((id) => counter.starts.get(id) ?? 0);
    const of = (count: number) => tries.filter((each) => each === count).length;
    const counts = Object.fromEntries([...new Set(tries)].sort((a, b) => a - b).map((count) => [count, of(count)]));
    console.log(
      `${STARTS} starts in ${seconds.toFixed(1)} s; starts by their tries: ${JSON.stringify(counts)}; refused by a server that began: ${counter.refused()}; no longer waited for: ${counter.givenUp()}`,
    );
    expect(Math.min(...tries)).toBeGreaterThan(0);
    expect(Math.max(...tries)).toBeLessThanOrEqual(2);
    expect(tries.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(STARTS * 1.1);
  },
  AWAY_MS + 2 * DONE_MS,
);

test(
  'many starts of one moment, through two API processes if there are two, are called once each',
  async () => {
    const workflowId = await home.deploy({ nodes: [action('a', 'testing.wait', { ms: 500 })] });
    const urls = process.env.DATABASE_URL ? [stack.url, `http://127.0.0.1:${otherPort}`] : [stack.url];
    const homes = urls.map((url) => homeOn({ ...stack, url }));
    counter.starts.clear();
    const ids = await Promise.all(
      Array.from({ length: BURST }, (_, at) => (homes[at % homes.length] as typeof home).execute(workflowId)),
    );
    const completed = () => database.execution.count({ where: { workflowId, status: 'COMPLETED' } });
    await poll(completed, { timeout: DONE_MS, interval: 500 }).toBe(BURST);
    const calls = ids.reduce((sum, id) => sum + (counter.starts.get(id) ?? 0), 0);
    console.log(`${BURST} starts through ${urls.length} API processes: ${calls} calls`);
    expect(calls).toBeGreaterThanOrEqual(BURST);
    expect(calls).toBeLessThanOrEqual(MAX_CALLS);
  },
  2 * DONE_MS,
);
