import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { FirstCredentials } from '../../../embedded/credentials.ts';
import { childrenOf } from '../../../embedded/dataProcesses.ts';
import type { Running } from '../../../embedded/runningFile.ts';
import { findTemporal } from '../../../embedded/temporalBinary.ts';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { newDataFolder } from '../../runner/dataFolder.mjs';
import { layDatabase } from '../database/databaseTemplate.ts';
import { MODEL_PRICES } from '../providers/modelPrices.ts';

/** The last line of a start: all that it does has been done. */
const READY = 'Ctrl-C stops everything';
const START_MS = 90_000;
const STOP_MS = 15_000;
const GONE_MS = 30_000;
const LOOK_MS = 20;

export interface StackOptions {
  /** Settings beside those of every test stack; an empty text unsets one. */
  environment?: Record<string, string>;
  /** Of the API; any free one where absent. */
  port?: string;
  /** Of a Temporal server that is not the stack's own. */
  temporalAddress?: string;
  /** Deploys and runs the examples. */
  examples?: boolean;
  /** A data folder that holds something already, on PGlite; the stack removes it at its end. */
  dataDir?: string;
}

/** A whole `npm start` of one's own: to kill, or to give other settings. */
export interface Stack {
  readonly url: string;
  readonly credentials: FirstCredentials;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string;
  /** Of `GET /metrics`. */
  readonly metricsUrl: string;
  readonly dataDir: string;
  /** All that it printed, over all its starts. */
  output(): string;
  /** Of the processes that live now; `database` is undefined on a Postgres that is not the stack's own. */
  pids(): Promise<{ main: number; database: number | undefined; temporal: number | undefined }>;
  /** kill -9 of API and worker; resolves when its children are gone too. */
  killMain(): Promise<void>;
  /** kill -9 of the database once (or the end of all connections to it); it comes back by itself. */
  killDatabase(): Promise<void>;
  killTemporal(): Promise<void>;
  /** It answers, and takes no write (25006), as after a failover to a replica. */
  refuseWrites(refuses: boolean): Promise<void>;
  /** Keeps it away for that long. */
  holdDatabaseDown(ms: number): Promise<void>;
  holdTemporalDown(ms: number): Promise<void>;
  /** After killMain or stop: on the same data and ports; `dist` of another build. Resolves when ready. */
  startAgain(dist?: string): Promise<void>;
  /** SIGTERM; answers the exit code and how long it took. The data stays for startAgain. */
  stop(): Promise<{ exitCode: number | null; tookMs: number }>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

/** Whether there is a process of this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pids: number[]): Promise<void> {
  const deadline = Date.now() + GONE_MS;
  while (pids.some(isAlive)) {
    if (Date.now() > deadline) throw new Error(`Still alive after ${GONE_MS} ms: ${pids.filter(isAlive)}`);
    await sleep(LOOK_MS);
  }
}

/** A database of the stack's own on the server of DATABASE_URL. */
async function createDatabaseOn(server: string): Promise<{ url: string; name: string }> {
  const name = `perdure_test_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, name };
}

async function query(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  // A connection that breaks fails the query; its own event would end the test as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function endConnections(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
}

function portOf(address: string): string {
  return new URL(address.includes('://') ? address : `http://${address}`).port;
}

/** Starts a stack on free ports with data of its own. On the server of DATABASE_URL where that is set. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  // Where there is no Temporal server yet, to build one takes minutes: not a part of the start's time.
  await findTemporal(process.env, (line) => console.error(line));
  const dataDir = options.dataDir ?? newDataFolder('perdure-test-');
  const server = options.dataDir === undefined ? process.env.DATABASE_URL : undefined;
  const database = server ? await createDatabaseOn(server) : undefined;
  if (!server && options.dataDir === undefined) await layDatabase(dataDir, 'migrated');
  const ports: Record<string, string> = {
    PORT: options.port ?? '0',
    TEMPORAL_PORT: '0',
    TEMPORAL_UI_PORT: '0',
  };
  let printed = '';
  let child: ChildProcess | undefined;
  let credentials: FirstCredentials | undefined;
  let running: Running | undefined;

  function now(): { child: ChildProcess; pid: number; credentials: FirstCredentials; running: Running } {
    if (child?.pid === undefined || !credentials || !running) throw new Error('The stack does not run');
    return { child, pid: child.pid, credentials, running };
  }

  async function start(dist = join(PROJECT_ROOT, 'dist')): Promise<void> {
    const main = join(dist, 'embedded/main.js');
    const started = spawn(
      process.execPath,
      [main, '--end-with-parent', ...(options.examples ? [] : ['--no-examples'])],
      {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          ENABLE_TESTING_APP: 'true',
          MODEL_PRICES,
          // Only rows that a test has made so old.
          EXECUTION_RETENTION_DAYS: '34000',
          QUEUE_ITEM_RETENTION_DAYS: '34000',
          TASK_RETENTION_DAYS: '34000',
          STATE_CHANGE_RETENTION_DAYS: '34000',
          HTTP_ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
          DATABASE_URL: database?.url ?? '',
          ...options.environment,
          ...ports,
          PERDURE_DATA_DIR: dataDir,
          TEMPORAL_ADDRESS: options.temporalAddress ?? '',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child = started;
    const from = printed.length;
    await new Promise<void>((done, fail) => {
      const refuse = (why: string) => fail(new Error(`The stack ${why}:\n${printed.slice(from)}`));
      const late = setTimeout(() => refuse(`was not ready after ${START_MS / 1_000} s`), START_MS);
      const take = (text: Buffer) => {
        printed += text;
        if (printed.includes(READY, from)) done(clearTimeout(late));
      };
      started.stdout.on('data', take);
      started.stderr.on('data', take);
      started.once('exit', (code, signal) => {
        clearTimeout(late);
        refuse(`ended with ${signal ?? code}`);
      });
    });
    credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as FirstCredentials;
    running = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')) as Running;
    ports.PORT = portOf(running.url);
    if (options.temporalAddress !== undefined) return;
    ports.TEMPORAL_PORT = portOf(running.temporalAddress);
    ports.TEMPORAL_UI_PORT = portOf(running.temporalUiUrl ?? '');
  }

  async function stop(): Promise<{ exitCode: number | null; tookMs: number }> {
    const { child: stopped } = now();
    const startedAt = Date.now();
    if (stopped.exitCode === null && stopped.signalCode === null) {
      const ended = once(stopped, 'exit');
      stopped.kill('SIGTERM');
      const force = setTimeout(() => stopped.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(force);
    }
    return { exitCode: stopped.exitCode, tookMs: Date.now() - startedAt };
  }

  async function holdDown(part: 'database' | 'temporal', ms: number): Promise<void> {
    const until = Date.now() + ms;
    do {
      const pid = (await childrenOf(now().pid))[part];
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
      await sleep(LOOK_MS * 3);
    } while (Date.now() < until);
  }

  const stack: Stack = {
    get url() {
      return now().credentials.url;
    },
    get credentials() {
      return now().credentials;
    },
    get databaseUrl() {
      return now().running.databaseUrl;
    },
    get temporalAddress() {
      return now().running.temporalAddress;
    },
    get temporalUiUrl() {
      return now().running.temporalUiUrl ?? '';
    },
    get metricsUrl() {
      return now().running.metricsUrl ?? '';
    },
    dataDir,
    output: () => printed,
    async pids() {
      const { pid } = now();
      return { main: pid, ...(await childrenOf(pid)) };
    },
    async killMain() {
      const { child: victim, pid } = now();
      const pids = Object.values(await childrenOf(pid)).filter((each) => each !== undefined);
      if (victim.exitCode === null && victim.signalCode === null) {
        const ended = once(victim, 'exit');
        victim.kill('SIGKILL');
        await ended;
      }
      await untilGone(pids);
    },
    killDatabase: () => (server && database ? query(server, endConnections(database.name)) : holdDown('database', 0)),
    killTemporal: () => holdDown('temporal', 0),
    async refuseWrites(refuses) {
      const setting = `default_transaction_read_only = ${refuses ? 'on' : 'off'}`;
      // All connections to PGlite share one session. It forgets the setting when it starts again.
      if (!server || !database) return query(now().running.databaseUrl, `SET ${setting}`);
      await query(server, `ALTER DATABASE ${database.name} SET ${setting}`);
      await query(server, endConnections(database.name));
    },
    async holdDatabaseDown(ms) {
      if (!server || !database) return holdDown('database', ms);
      await query(server, `ALTER DATABASE ${database.name} ALLOW_CONNECTIONS false`);
      await query(server, endConnections(database.name));
      await sleep(ms);
      await query(server, `ALTER DATABASE ${database.name} ALLOW_CONNECTIONS true`);
    },
    holdTemporalDown: (ms) => holdDown('temporal', ms),
    startAgain: start,
    stop,
    async dispose() {
      await stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      if (server && database) await query(server, `DROP DATABASE ${database.name} WITH (FORCE)`);
    },
  };
  try {
    await start();
  } catch (error) {
    child?.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
  return stack;
}
