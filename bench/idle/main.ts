import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findTemporal } from '../../embedded/temporalBinary.ts';
import { startTemporal } from '../../embedded/temporalServer.ts';
import { migrate } from '../../prisma/migrate.ts';
import { anyPort } from '../../process/ports.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { countStatements } from '../statementCounter.ts';

// `node test/withPostgres.mjs node start.mjs bench/idle/main.js`. Six workers and three APIs must issue less than twice
// the statements of one of each, plus 2 per second.

const LAYOUTS = [
  { workers: 1, apis: 1 },
  { workers: 6, apis: 3 },
];
/** Time after a start in which pools fill, definitions are read and leases are taken. */
const SETTLE_MS = 20_000;
const MEASURED_MS = Number(process.env.IDLE_MS ?? 60_000);
const SLACK = 2;

const server = process.env.DATABASE_URL;
if (!server) throw new Error('DATABASE_URL is missing: run it by `node test/withPostgres.mjs`');

async function startOurs(module: string, environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist', module)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((ready, fail) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes('"ready"')) ready();
    });
    child.once('exit', (code) => fail(new Error(`${module} ended with ${code}`)));
  });
  return child;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server as string });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function measure(
  temporalAddress: string,
  { workers, apis }: (typeof LAYOUTS)[number],
): Promise<{ perSecond: number; most: [string, number][] }> {
  const name = `perdure_idle_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(server as string), { pathname: `/${name}` }).href;
  await migrate(url);
  const counter = await countStatements(url);
  const environment = {
    DATABASE_URL: counter.url,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_TASK_QUEUE: name,
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
    PORT: '0',
    LOG_LEVEL: 'info',
  };
  const modules = [...Array(workers).fill('worker/main.js'), ...Array(apis).fill('api/main.js')] as string[];
  const children = await Promise.all(modules.map((module) => startOurs(module, environment)));
  try {
    await sleep(SETTLE_MS);
    counter.take();
    await sleep(MEASURED_MS);
    const counts = [...counter.take()].sort(([, one], [, other]) => other - one);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    return { perSecond: total / (MEASURED_MS / 1_000), most: counts.slice(0, 8) };
  } finally {
    const gone = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(gone);
    counter.close();
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'perdure-idle-'));
const say = (line: string) => console.error(line);
const temporal = await startTemporal({
  ...{ command: await findTemporal(process.env, say), dataDir, namespace: 'default', say },
  port: await anyPort(),
  ui: { host: '127.0.0.1', port: await anyPort() },
});
try {
  const figures: number[] = [];
  for (const layout of LAYOUTS) {
    const { perSecond, most } = await measure(temporal.address, layout);
    figures.push(perSecond);
    console.log(JSON.stringify({ ...layout, statementsPerSecond: Number(perSecond.toFixed(2)) }));
    for (const [sql, count] of most) console.error(`${count}\t${sql.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
  }
  const [one = 0, many = 0] = figures;
  const isMet = many < 2 * one + SLACK;
  console.log(JSON.stringify({ goal: 'less than twice', ratio: Number((many / one).toFixed(2)), isMet }));
  process.exitCode = isMet ? 0 : 1;
} finally {
  await temporal.child.stop(5_000);
  await rm(dataDir, { recursive: true, force: true });
}
