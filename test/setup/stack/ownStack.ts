import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FirstCredentials } from '../../../embedded/credentials.ts';
import { childrenOf } from '../../../embedded/dataProcesses.ts';
import type { Running } from '../../../embedded/runningFile.ts';
import { findTemporal } from '../../../embedded/temporalBinary.ts';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { newDataFolder } from '../../runner/dataFolder.mjs';
import { layDatabase } from '../database/databaseTemplate.ts';
import { createDatabaseOn, onServer } from '../database/serverDatabase.ts';
import { MODEL_PRICES } from '../providers/modelPrices.ts';
import { WORKER_TASK_QUEUES } from './runStack.ts';

const READY = 'Ctrl-C stops everything';
const START_MS = 90_000;
const STOP_MS = 15_000;
const GONE_MS = 30_000;
const LOOK_MS = 20;

export interface StackOptions {
  /** Added to the settings of every test stack; an empty text unsets one. */
  environment?: Record<string, string>;
  port?: string;
  temporalAddress?: string;
  examples?: boolean;
  /** An existing data folder, on PGlite; the stack removes it at its end. */
  dataDir?: string;
}

/** A separate `npm start`, to kill or to give other settings. */
export interface Stack {
  readonly url: string;
  readonly credentials: FirstCredentials;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string;
  readonly metricsUrl: string;
  readonly dataDir: string;
  output(): string;
  /** Returns the current processes; `database` is undefined on an external Postgres. */
  pids(): Promise<{ main: number; database: number | undefined; temporal: number | undefined }>;
  /** Kills API and worker with -9; resolves when their children have ended too. */
  killMain(): Promise<void>;
  /** Kills the database once with -9 (or ends all connections to it); it restarts by itself. */
  killDatabase(): Promise<void>;
  killTemporal(): Promise<void>;
  /** The database responds but rejects writes (25006), as after a failover to a replica. */
  refuseWrites(refuses: boolean): Promise<void>;
  holdDatabaseDown(ms: number): Promise<void>;
  /** `enough` ends it earlier. */
  holdTemporalDown(ms: number, enough?: AbortSignal): Promise<void>;
  /** Restarts after killMain or stop, on the same data and ports; `dist` is another build's. Resolves when ready. */
  startAgain(dist?: string): Promise<void>;
  /** Sends SIGTERM; returns the exit code and the duration. Keeps the data for startAgain. */
  stop(): Promise<{ exitCode: number | null; tookMs: number }>;
  dispose(): Promise<void>;
}

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

function endConnections(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
}

function portOf(address: string): string {
  return new URL(address.includes('://') ? address : `http://${address}`).port;
}

/** Starts a stack on free ports with separate data, on the server of DATABASE_URL if set. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  // Building a missing Temporal server takes minutes and must not count as start time.
  await findTemporal(process.env, (line) => console.error(line));
  const dataDir = options.dataDir ?? newDataFolder('perdure-test-');
  const server = options.dataDir === undefined ? process.env.DATABASE_URL : undefined;
  const database = server ? await createDatabaseOn(server, 'migrated') : undefined;
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
          // Delete only rows that a test has aged this much.
          EXECUTION_RETENTION_DAYS: '34000',
          QUEUE_ITEM_RETENTION_DAYS: '34000',
          TASK_RETENTION_DAYS: '34000',
          STATE_CHANGE_RETENTION_DAYS: '34000',
          HTTP_ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
          WORKER_TASK_QUEUES,
          WORKER_LOOK_INTERVAL_MS: '500',
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

  async function holdDown(part: 'database' | 'temporal', ms: number, enough?: AbortSignal): Promise<void> {
    const until = Date.now() + ms;
    do {
      const pid = (await childrenOf(now().pid))[part];
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
      await sleep(LOOK_MS * 3);
    } while (Date.now() < until && !enough?.aborted);
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
      // Stopped first: listing its children takes a while, in which it could finish its work.
      victim.kill('SIGSTOP');
      const pids = Object.values(await childrenOf(pid)).filter((each) => each !== undefined);
      if (victim.exitCode === null && victim.signalCode === null) {
        const ended = once(victim, 'exit');
        victim.kill('SIGKILL');
        await ended;
      }
      await untilGone(pids);
    },
    killDatabase: () =>
      server && database ? onServer(server, endConnections(database.name)) : holdDown('database', 0),
    killTemporal: () => holdDown('temporal', 0),
    async refuseWrites(refuses) {
      const setting = `default_transaction_read_only = ${refuses ? 'on' : 'off'}`;
      // All connections to PGlite share one session. A restart resets the setting.
      if (!server || !database) return onServer(now().running.databaseUrl, `SET ${setting}`);
      await onServer(server, `ALTER DATABASE ${database.name} SET ${setting}`);
      await onServer(server, endConnections(database.name));
    },
    async holdDatabaseDown(ms) {
      if (!server || !database) return holdDown('database', ms);
      await onServer(server, `ALTER DATABASE ${database.name} ALLOW_CONNECTIONS false`);
      await onServer(server, endConnections(database.name));
      await sleep(ms);
      await onServer(server, `ALTER DATABASE ${database.name} ALLOW_CONNECTIONS true`);
    },
    holdTemporalDown: (ms, enough) => holdDown('temporal', ms, enough),
    startAgain: start,
    stop,
    async dispose() {
      await stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      if (server && database) await onServer(server, `DROP DATABASE ${database.name} WITH (FORCE)`);
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
