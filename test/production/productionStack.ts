import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type SupervisedChild, startChild } from '../../embedded/childProcess.ts';
import { writeRunning } from '../../embedded/runningFile.ts';
import type { Say } from '../../embedded/say.ts';
import { provideSecrets } from '../../embedded/secrets.ts';
import { findTemporal } from '../../embedded/temporalBinary.ts';
import { anyPort } from '../../process/ports.ts';
import { MODEL_PRICES } from '../setup/providers/modelPrices.ts';
import {
  MAX_COMPARED_STEPS,
  RETRY_BATCH_ITERATIONS,
  type RunStack,
  WORKER_TASK_QUEUES,
} from '../setup/stack/runStack.ts';
import { startBalancer } from './balancer.ts';
import { environmentOf, parseCompose, readComposeText, type Service } from './composeFile.ts';
import { CONTAINER_USERS, confined } from './confinement.ts';
import { type Image, layOutImage } from './image.ts';
import type { Job } from './productionFacts.ts';
import { findServerTools } from './serverTools.ts';
import { DEPLOY, startTemporalServer } from './temporalServer.ts';

const run = promisify(execFile);
const say: Say = (line) => {
  process.stderr.write(`perdure  ${line}\n`);
};

const READY_MS = 60_000;
const WORKERS = [1, 2];

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function runJob({ command: [command, ...args], environment }: Job): Promise<string> {
  const { stdout } = await run(command as string, args, { env: environment, maxBuffer: 10_000_000 });
  return stdout;
}

/**
 * Runs docker-compose.yml as processes: its commands, environment and order, on the server of DATABASE_URL, with two
 * APIs behind a balancer and two workers. Hosts, ports and names of databases differ, and the change feed polls once a
 * minute: a faster answer came by NOTIFY.
 */
export async function startProductionStack(): Promise<RunStack> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error('DATABASE_URL is missing: `npm run test:production` starts a Postgres and sets it');
  const tools = await findServerTools(say);
  const cli = await findTemporal(process.env, say);

  const { services } = parseCompose(readComposeText());
  const home = mkdtempSync(join(tmpdir(), 'perdure-production-'));
  chmodSync(home, 0o755);
  const dataDir = join(home, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const logs = join(dataDir, 'logs');
  const children: SupervisedChild[] = [];
  const closers: (() => Promise<void>)[] = [];

  const suffix = randomBytes(6).toString('hex');
  const databases = {
    perdure: `perdure_${suffix}`,
    temporal: `temporal_${suffix}`,
    visibility: `visibility_${suffix}`,
  };
  const where = new URL(server);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${databases.perdure}` }).href;
  const secrets = await provideSecrets(dataDir, {});
  const variables: Record<string, string> = { ...secrets, POSTGRES_PASSWORD: decodeURIComponent(where.password) };
  const environmentFor = (name: string) => environmentOf(services[name] as Service, variables);

  async function dispose(): Promise<void> {
    for (const close of closers.reverse()) await close();
    for (const child of children.reverse()) await child.stop(READY_MS / 2);
    await onServer(server as string, async (client) => {
      for (const name of Object.values(databases)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
    rmSync(home, { recursive: true, force: true });
  }

  async function startTemporal(): Promise<{
    address: string;
    jobs: Record<string, Job>;
    server: Record<string, string>;
  }> {
    const names = { DBNAME: databases.temporal, VISIBILITY_DBNAME: databases.visibility };
    const path = `${tools}:${process.env.PATH}`;
    const schema = {
      command: ['sh', join(DEPLOY, 'setup-schema.sh')],
      environment: {
        ...environmentFor('temporal-schema'),
        ...{ PATH: path, SQL_HOST: where.hostname, SQL_PORT: where.port, SQL_USER: where.username, ...names },
      },
    };
    await runJob(schema);
    const given = {
      ...environmentFor('temporal'),
      ...{ POSTGRES_SEEDS: where.hostname, DB_PORT: where.port, POSTGRES_USER: where.username, ...names },
    };
    const folder = join(home, 'temporal');
    const logFile = join(logs, 'temporal.log');
    const { address, child } = await startTemporalServer({ tools, folder, logFile, environment: given, say });
    children.push(child);
    const namespace = {
      command: ['sh', join(DEPLOY, 'create-namespace.sh')],
      environment: {
        ...environmentFor('temporal-namespace'),
        ...{ PATH: `${join(cli, '..')}:${process.env.PATH}`, HOME: home, TEMPORAL_ADDRESS: address },
      },
    };
    await runJob(namespace);
    return { address, jobs: { schema, namespace }, server: given };
  }

  /** `number` 2: the service's second process, which runs as another user. */
  function inImage(name: string, image: Image, own: Record<string, string>, number = 1): Job & { main: string } {
    const [node, main] = (services[name] as Service).command as [string, string];
    // A container runtime sets HOME like this for a user whom the image does not know.
    const given = { PATH: process.env.PATH ?? '', HOME: '/' };
    const environment = { ...given, ...image.environment, ...environmentFor(name), ...own };
    const path = join(image.folder, main);
    const user = CONTAINER_USERS[number === 1 ? 0 : 1];
    return { command: [...confined(image.folder, user), node, path], environment, main: path };
  }

  async function startOurs(name: string, number: number, job: Job, isReady: (logFile: string) => Promise<boolean>) {
    const logFile = join(logs, `${name}-${number}.log`);
    const [command, ...args] = job.command;
    const child = await startChild({
      name: `${name} ${number}`,
      command: command as string,
      args,
      env: job.environment,
      logFile,
      isReady: () => isReady(logFile),
      readyTimeoutMs: READY_MS,
      say,
    });
    children.push(child);
  }

  try {
    const startedAt = Date.now();
    await onServer(server, (client) => client.query(`CREATE DATABASE ${databases.perdure}`));
    const temporal = await startTemporal();
    const image = await layOutImage(join(home, 'app'));
    const own = {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporal.address,
      ENABLE_TESTING_APP: 'true',
      MODEL_PRICES,
      HTTP_ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
      CHANGE_POLL_MS: '60000',
      RETRY_BATCH_ITERATIONS,
      MAX_COMPARED_STEPS,
      WORKER_TASK_QUEUES,
      WORKER_LOOK_INTERVAL_MS: '500',
      HOST: '127.0.0.1',
    };
    const apiPorts = [await anyPort(), await anyPort()];
    const apis = apiPorts.map((port) => `http://127.0.0.1:${port}`);
    const balancer = await startBalancer(apis);
    closers.push(() => balancer.stop());
    const temporalUiUrl = 'http://127.0.0.1:8080';
    Object.assign(variables, { PUBLIC_URL: balancer.url, TEMPORAL_UI_URL: temporalUiUrl });
    const migrate = inImage('migrate', image, own);
    await runJob(migrate);

    await Promise.all([
      ...WORKERS.map((number) => {
        const job = inImage('worker', image, own, number);
        return startOurs('worker', number, job, async (logFile) => readFileSync(logFile, 'utf8').includes('"ready"'));
      }),
      ...apis.map((url, index) => {
        const job = inImage('api', image, { ...own, PORT: String(apiPorts[index]) }, index + 1);
        const isHealthy = () =>
          fetch(`${url}/healthz`).then(
            (answer) => answer.ok,
            () => false,
          );
        return startOurs('api', index + 1, job, isHealthy);
      }),
    ]);

    const [worker, api] = [inImage('worker', image, own), inImage('api', image, own)];
    const admin = [...api.command.slice(0, -1), join(image.folder, 'dist/api/admin/main.js')];
    const first = ['workspace', 'create', '--name', 'Production', '--email', 'owner@production.local'];
    const made = JSON.parse(await runJob({ command: [...admin, ...first], environment: api.environment }));
    const addresses = { url: balancer.url, temporalUiUrl, databaseUrl, temporalAddress: temporal.address };
    closers.push(await writeRunning(dataDir, { pid: process.pid, ...addresses, metricsUrl: null }));
    say(`the production layout is up in ${Math.round((Date.now() - startedAt) / 1_000)} s, logs: ${logs}`);
    closers.push(async () => say(`requests that each API got: ${balancer.counts().join(', ')}`));
    return {
      stack: {
        url: balancer.url,
        apiUrl: apis[0] as string,
        databaseUrl,
        temporalAddress: temporal.address,
        apiKey: made.apiKey,
        dataDir,
        apis: apis.length,
        workers: WORKERS.length,
        publicUrl: balancer.url,
      },
      production: {
        apis,
        main: { api: api.main, worker: worker.main },
        jobs: { ...temporal.jobs, migrate },
        temporal: temporal.server,
        api: api.environment,
        stopGraceMs: Number.parseInt(services.worker?.stop_grace_period ?? '', 10) * 1_000,
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
