import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { destination } from 'pino';
import { type Config, embeddedClientUrl, readEmbeddedConfig } from '../config.ts';
import { ChangedMigration, migrate } from '../prisma/migrate.ts';
import { createLog } from '../process/log.ts';
import { hiddenLoopback } from '../process/loopbackName.ts';
import { anyPort, choosePort } from '../process/ports.ts';
import { Autovacuum } from './autovacuum.ts';
import type { SupervisedChild } from './childProcess.ts';
import { type FirstCredentials, provideCredentials, readCredentials } from './credentials.ts';
import { NEED_MODEL, requireExamples, runExamples, SHOWN_FIRST } from './examples/examples.ts';
import { type ScriptedModel, startScriptedModel } from './examples/scriptedModel.ts';
import { takeExclusiveUse } from './exclusiveUse.ts';
import { loginLink } from './loginLink.ts';
import { startLoopbackProxy } from './loopbackProxy.ts';
import { startPglite } from './pglite.ts';
import { startProcesses } from './processes.ts';
import { writeRunning } from './runningFile.ts';
import { durationText, say } from './say.ts';
import { provideSecrets } from './secrets.ts';
import { Shutdown } from './shutdown.ts';
import { findTemporal } from './temporalBinary.ts';
import { startTemporal } from './temporalServer.ts';

const CHILD_GRACE_MS = 2_500;
/** The share of API and worker in the 10 s that a stop may take. */
const MAX_DRAIN_MS = 6_000;

const shutdown = new Shutdown(say);
const children: SupervisedChild[] = [];

async function timed<T>(what: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const result = await work;
  say(`${what} (${durationText(Date.now() - startedAt)})`);
  return result;
}

function choose(name: 'TEMPORAL_PORT' | 'TEMPORAL_UI_PORT' | 'PORT', config: Config): Promise<number> {
  const host = name === 'PORT' ? { host: config.HOST } : {};
  return choosePort({ name, port: config[name], isDefault: !process.env[name], ...host });
}

/** Returns undefined unless a port is set: the socket is enough. */
async function chooseDatabasePort({ POSTGRES_PORT: port }: Config): Promise<number | undefined> {
  return port === undefined ? undefined : choosePort({ name: 'POSTGRES_PORT', port, isDefault: false });
}

async function provideDatabase(config: Config, dataDir: string): Promise<string> {
  let url = config.DATABASE_URL;
  if (url === undefined) {
    const port = await chooseDatabasePort(config);
    const where = port === undefined ? 'database' : `database, also on port ${port} for everybody on this machine`;
    const database = await timed(where, startPglite({ dataDir, port, say }));
    children.push(database.child);
    url = database.url;
    const autovacuum = new Autovacuum({ url, everyMs: config.EMBEDDED_VACUUM_INTERVAL_MS, say });
    shutdown.add(() => autovacuum.stop());
  }
  const applied = await migrate(config.DATABASE_LISTEN_URL ?? url).catch((error: unknown) => {
    if (!(error instanceof ChangedMigration) || config.DATABASE_URL !== undefined) throw error;
    throw new Error(
      `${error.message}\nRemove ${dataDir} with its content, or set PERDURE_DATA_DIR to another folder; the next start then creates everything again.`,
    );
  });
  if (applied.length > 0) say(`migrated: ${applied.join(', ')}`);
  return url;
}

async function provideTemporal(config: Config, dataDir: string): Promise<{ address: string; uiUrl: string | null }> {
  if (config.TEMPORAL_ADDRESS !== undefined) return { address: config.TEMPORAL_ADDRESS, uiUrl: null };
  const command = await findTemporal(process.env, say);
  const port = await choose('TEMPORAL_PORT', config);
  const uiPort = await choose('TEMPORAL_UI_PORT', config);
  const ui = { host: hiddenLoopback(), port: await anyPort() };
  const options = { command, dataDir, port, ui, namespace: config.TEMPORAL_NAMESPACE, say };
  const temporal = await timed(`Temporal server on port ${port}`, startTemporal(options));
  children.push(temporal.child);
  shutdown.add(await startLoopbackProxy(uiPort, ui));
  return { address: temporal.address, uiUrl: `http://127.0.0.1:${uiPort}` };
}

/** Returns undefined if no example needs a model, or the deployment has a provider. */
async function provideScriptedModel(examples: readonly string[], config: Config): Promise<ScriptedModel | undefined> {
  if (config.OPENAI_API_KEY !== undefined || !examples.some((name) => NEED_MODEL.has(name))) return undefined;
  const model = await startScriptedModel();
  shutdown.add(() => model.close());
  return model;
}

function banner(facts: [string, string | null][]): void {
  say('');
  for (const [label, value] of facts) if (value !== null) say(`${label.padEnd(13)} ${value}`);
}

/** Login links are for people at a terminal and must not end up in stored logs. */
function isLooking({ CONSOLE }: Config, isFirstStart: boolean): boolean {
  return CONSOLE === 'on' && (isFirstStart || process.stdout.isTTY === true);
}

interface Started {
  url: string;
  temporalUiUrl: string | null;
  metricsUrl: string | null;
  dataDir: string;
  link: string | null;
  shown: FirstCredentials | null;
}

function factsOf({ CONSOLE }: Config, started: Started): [string, string | null][] {
  const { url, temporalUiUrl, metricsUrl, dataDir, link, shown } = started;
  return [
    ['Console', CONSOLE === 'on' ? `${url}/console/` : null],
    ['', link && `${link} logs you in, once`],
    ['API', url],
    ['API explorer', `${url}/docs`],
    ['Temporal UI', temporalUiUrl],
    ['Metrics', metricsUrl],
    ['API key', shown?.apiKey ?? null],
    ['Owner', shown && `${shown.email}, password ${shown.password ?? '(as it was)'}`],
    ['Credentials', resolve(dataDir, 'credentials.json')],
    ['Logs', join(dataDir, 'logs')],
  ];
}

async function runBeside(dataDir: string, examples: readonly string[], config: Config): Promise<void> {
  const own = examples.find((name) => NEED_MODEL.has(name));
  if (own !== undefined && config.OPENAI_API_KEY === undefined) {
    throw new Error(
      `The example ${own} brings its own model, which needs a new start: stop the running Perdure, then start it with --example ${own}.`,
    );
  }
  const credentials = await readCredentials(dataDir);
  say(`Perdure is already running at ${credentials.url}: the examples run there`);
  await runExamples(examples, { credentials, namespace: config.TEMPORAL_NAMESPACE, say });
}

async function start(): Promise<void> {
  const startedAt = Date.now();
  const { values: flags } = parseArgs({
    options: {
      example: { type: 'string', multiple: true },
      'no-examples': { type: 'boolean' },
      'end-with-parent': { type: 'boolean' },
    },
  });
  if (flags['end-with-parent']) shutdown.endWithParent();
  const examples = flags['no-examples'] ? [] : (flags.example ?? SHOWN_FIRST);
  requireExamples(examples);
  const given = readEmbeddedConfig(process.env);

  // Inherited by the children.
  process.umask(0o077);
  mkdirSync(given.PERDURE_DATA_DIR, { recursive: true });
  // An existing folder may be readable by others.
  chmodSync(given.PERDURE_DATA_DIR, 0o700);
  const dataDir = realpathSync(given.PERDURE_DATA_DIR);
  const shown = relative(process.cwd(), dataDir) || '.';
  const release = await takeExclusiveUse(dataDir);
  if (release === undefined && flags.example) return runBeside(dataDir, flags.example, given);
  if (release === undefined) {
    throw new Error(
      `Another Perdure runs on ${shown}; ${join(shown, 'credentials.json')} has its address. Stop it, set PERDURE_DATA_DIR to another folder, or add --example to run one on it.`,
    );
  }
  const port = given.PORT === 0 ? 0 : await choose('PORT', given);

  const secrets = await provideSecrets(dataDir, process.env);
  const [databaseUrl, temporal] = await Promise.all([provideDatabase(given, dataDir), provideTemporal(given, dataDir)]);
  const model = await provideScriptedModel(examples, given);
  const config = {
    ...given,
    ...secrets,
    PORT: port,
    CLIENT_URL: embeddedClientUrl(given, port),
    HTTP_ALLOWED_PRIVATE_HOSTS: [...given.HTTP_ALLOWED_PRIVATE_HOSTS, ...(model ? [`${model.host}/openai`] : [])],
    DATABASE_URL: databaseUrl,
    TEMPORAL_UI_URL: given.TEMPORAL_UI_URL ?? temporal.uiUrl ?? undefined,
    DRAIN_TIMEOUT_MS: Math.min(given.DRAIN_TIMEOUT_MS, MAX_DRAIN_MS),
  };
  const logFile = join(dataDir, 'logs/perdure.log');
  const log = createLog(config.LOG_LEVEL, { destination: destination({ dest: logFile, mkdir: true, sync: false }) });
  const embeddedTemporal = given.TEMPORAL_ADDRESS === undefined ? temporal.address : undefined;
  const processes = await timed('API and worker', startProcesses(config, embeddedTemporal, log));
  shutdown.add(() => processes.stop());
  processes.workerEnded.then(
    () => shutdown.end(1, 'the worker ended'),
    (error: Error) => shutdown.end(1, `the worker ended: ${error.message}`),
  );

  const addresses = {
    url: config.PUBLIC_URL ?? `http://127.0.0.1:${processes.port}`,
    temporalUiUrl: temporal.uiUrl,
    metricsUrl: processes.metricsUrl ?? null,
  };
  const running = { pid: process.pid, ...addresses, databaseUrl, temporalAddress: temporal.address };
  shutdown.add(await writeRunning(dataDir, running));
  const { credentials, isNew } = await provideCredentials(processes.database, dataDir, addresses);
  const link = isLooking(config, isNew) ? await loginLink(processes.database, config, credentials) : null;
  say(`ready in ${durationText(Date.now() - startedAt)}`);
  banner(factsOf(config, { ...addresses, dataDir, link, shown: isNew ? credentials : null }));
  // The service stays up if its examples fail.
  const shared = { credentials, namespace: config.TEMPORAL_NAMESPACE, say };
  await runExamples(examples, { ...shared, ...(model ? { scriptedModel: model.baseUrl } : {}) }).catch((error: Error) =>
    say(`The examples failed: ${error.message}`),
  );
  say('');
  say('Ctrl-C stops everything; waiting work continues at the next start.');
}

shutdown.listen();
shutdown.add(async () => {
  await Promise.all(children.map((child) => child.stop(CHILD_GRACE_MS)));
});
try {
  await start();
} catch (error) {
  await shutdown.end(1, (error as Error).message);
}
