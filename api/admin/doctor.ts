import type { Config } from '../../config.ts';
import { createCredentialVault } from '../../engine/secrets/credentialVault.ts';
import { openSamples } from '../../engine/secrets/openSamples.ts';
import { createSealer } from '../../engine/secrets/sealer.ts';
import type { TemporalParts } from '../../engine/temporal/connectTemporal.ts';
import { inspectServer, type ServerFacts } from '../../engine/temporal/inspectServer.ts';
import { type WorkerBuild, workerBuilds } from '../../engine/temporal/workerBuilds.ts';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { ChangedMigration, migrationState } from '../../prisma/migrate.ts';
import { databaseFacts } from '../../prisma/store/operation/databaseFacts.ts';
import { heldDuties } from '../../prisma/store/operation/dutyLeases.ts';

export interface Check {
  check: string;
  ok: boolean;
  found: string;
  advice?: string;
}

export interface Diagnosis {
  ok: boolean;
  checks: Check[];
}

export interface Examined {
  config: Config;
  databaseUrl: string;
  encryptionKey: string | undefined;
  connect(): Promise<TemporalParts>;
}

const OLDEST_POSTGRES = 160_000;
const OLDEST_TEMPORAL = [1, 28] as const;
/** The database decides deadlines of questions and leases, but a process computes some with its own clock. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** The server's default is a second. */
const MAX_TIMER_DELAY_MS = 800;
/** Recommended by deploy/ for the largest deployments. */
const MAX_PARTITIONS = 4;

const good = (check: string, found: string): Check => ({ check, ok: true, found });
const bad = (check: string, found: string, advice: string): Check => ({ check, ok: false, found, advice });

/** Checks everything that a deployment needs, without changing it. A failed check is a finding, too. */
export async function diagnose(examined: Examined): Promise<Diagnosis> {
  const set = settings(examined);
  const database = await ofDatabase(examined, set.ok);
  const engine = await ofEngine(examined);
  const checks = [set, ...database, ...engine];
  return { ok: checks.every(({ ok }) => ok), checks };
}

export function invalidSettings(error: Error): Diagnosis {
  return { ok: false, checks: [bad('settings', error.message, 'Correct them: docs/settings.md describes each.')] };
}

function settings({ config, encryptionKey }: Examined): Check {
  try {
    createCredentialVault(encryptionKey);
  } catch (error) {
    return bad(
      'settings',
      (error as Error).message,
      'Set ENCRYPTION_KEY to the same value as for all processes: docs/operations.md.',
    );
  }
  const isApi = config.TOKEN_SECRET !== undefined || config.DATABASE_URL === undefined;
  return good('settings', isApi ? 'valid' : 'valid for a worker; an API needs TOKEN_SECRET too');
}

async function ofDatabase({ config, databaseUrl, encryptionKey }: Examined, hasKeys: boolean): Promise<Check[]> {
  const database = createDatabase(databaseUrl, 1);
  try {
    const asked = Date.now();
    const facts = await databaseFacts(database);
    const answered = Date.now();
    const { version, isEmbedded, hasVectors, maxConnections } = facts;
    const name = isEmbedded ? 'the embedded PGlite' : `Postgres ${Math.floor(version / 10_000)}`;
    const needs = config.DATABASE_POOL_SIZE + 1;
    const migrations = await ofMigrations(databaseUrl);
    const duties = migrations.ok ? [ofDuties(await heldDuties(database))] : [];
    const keys = migrations.ok && hasKeys ? [await ofKeys(database, encryptionKey)] : [];
    return [
      version < OLDEST_POSTGRES
        ? bad('database', name, 'Upgrade to Postgres 16 or later.')
        : !isEmbedded && maxConnections < 2 * needs
          ? bad(
              'database',
              `${name}, max_connections ${maxConnections}`,
              `Allow ${needs} connections for each process.`,
            )
          : good(
              'database',
              `${name}${hasVectors ? ', with pgvector' : ', without pgvector, which knowledge bases need'}`,
            ),
      ofClock(facts.now.getTime() - (asked + answered) / 2, answered - asked),
      migrations,
      ...keys,
      ...duties,
    ];
  } catch (error) {
    const advice = 'Check that Postgres runs, and that DATABASE_URL has its address, database, user and password.';
    const reason = (error as Error).message.split('\n').at(-1);
    return [bad('database', `it does not answer: ${reason}`, advice)];
  } finally {
    await database.close();
  }
}

async function ofMigrations(url: string): Promise<Check> {
  const state = await migrationState(url);
  if (state === undefined) return good('migrations', 'not known: this role may not read their record');
  const { mismatch, missing, newer } = state;
  if (mismatch) {
    const advice =
      mismatch instanceof ChangedMigration
        ? 'Run the build that made this database.'
        : 'Restore a backup, or repair by hand what the migration left behind: the log of that run says where it failed.';
    return bad('migrations', mismatch.message, advice);
  }
  if (missing.length > 0) return bad('migrations', `missing: ${missing.join(', ')}`, 'Run `npm run migrate`.');
  // The previous version keeps working during an upgrade, and after one that was rolled back.
  const more = newer.length === 0 ? '' : `, and of a newer version: ${newer.join(', ')}`;
  return good('migrations', `all are applied${more}`);
}

/** A different key makes every connection fail, perhaps hours after the start. */
async function ofKeys(database: Database, encryptionKey: string | undefined): Promise<Check> {
  const { keys, closed } = await openSamples(database, createSealer(encryptionKey));
  if (closed.length === 0)
    return good('keys', keys === 0 ? 'nothing is sealed' : `what is sealed opens, with ${keys} of the keys`);
  return bad('keys', closed.join('; '), 'Set ENCRYPTION_KEY as it was when this was sealed: docs/operations.md.');
}

function ofClock(differenceMs: number, askedForMs: number): Check {
  const beyond = Math.abs(differenceMs) - askedForMs / 2;
  const found = `${Math.round(differenceMs)} ms between this machine and the database`;
  if (beyond <= MAX_CLOCK_DIFFERENCE_MS) return good('clock', found);
  return bad('clock', found, 'Set both clocks by NTP: deadlines and leases are compared between machines.');
}

function ofDuties(held: number): Check {
  if (held > 0) return good('reconciler', `${held} duties are held`);
  return bad('reconciler', 'no worker holds its duties', 'Start a worker that reaches the database.');
}

async function ofEngine({ config, connect }: Examined): Promise<Check[]> {
  let temporal: TemporalParts;
  try {
    temporal = await connect();
  } catch (error) {
    return [bad('engine', (error as Error).message, 'Check that the Temporal server runs, and TEMPORAL_ADDRESS.')];
  }
  try {
    const checks = serverChecks(await inspectServer(temporal, config.TEMPORAL_TASK_QUEUE), config, temporal.namespace);
    const name = config.TEMPORAL_DEPLOYMENT_NAME;
    return name === undefined ? checks : [...checks, ofBuilds(await workerBuilds(temporal, name), name)];
  } catch (error) {
    return [
      bad('engine', `it does not answer: ${(error as Error).message}`, 'Look at the log of the Temporal server.'),
    ];
  } finally {
    await temporal.connection.close();
  }
}

function serverChecks(facts: ServerFacts, config: Config, namespace: string): Check[] {
  if (!facts.hasNamespace) {
    const advice = `Create it (deploy/temporal/create-namespace.sh), or correct TEMPORAL_NAMESPACE.`;
    return [bad('engine', `the namespace ${namespace} does not exist`, advice)];
  }
  const { version = 'of unknown version', workers, missingAttributes, retentionDays } = facts;
  return [
    isOlder(version)
      ? bad('engine', `Temporal ${version}`, `Upgrade the server to ${OLDEST_TEMPORAL.join('.')} or later.`)
      : good('engine', `Temporal ${version}, namespace ${namespace}`),
    workers > 0
      ? good('workers', `${workers} poll ${config.TEMPORAL_TASK_QUEUE}`)
      : bad(
          'workers',
          `none polls ${config.TEMPORAL_TASK_QUEUE}`,
          'Start `npm run worker`, with the same TEMPORAL_* settings.',
        ),
    missingAttributes === undefined
      ? good('search attributes', 'the server does not list them')
      : missingAttributes.length === 0
        ? good('search attributes', 'all are there')
        : bad(
            'search attributes',
            `missing: ${missingAttributes.join(', ')}`,
            'A worker adds them at its start where it may; otherwise add them by `temporal operator search-attribute create`.',
          ),
    ofDynamicConfiguration(facts),
    ofRetention(config.EXECUTION_RETENTION_DAYS, retentionDays),
  ];
}

function ofDynamicConfiguration({ partitions, timersLateMs }: ServerFacts): Check {
  const check = 'dynamic configuration';
  const advice = 'Give the server the settings of deploy/temporal/dynamic-config.yaml: its defaults are slow.';
  if (timersLateMs !== undefined && timersLateMs > MAX_TIMER_DELAY_MS) {
    return bad(check, `a timer fires ${Math.round(timersLateMs)} ms late (history.timerProcessorMaxTimeShift)`, advice);
  }
  if (partitions !== undefined && partitions > MAX_PARTITIONS) {
    return bad(check, `${partitions} partitions of the task queue (matching.numTaskqueueReadPartitions)`, advice);
  }
  const late =
    timersLateMs === undefined ? 'timers cannot be tried' : `a timer fires ${Math.round(timersLateMs)} ms late`;
  return good(check, `${late}, ${partitions ?? 'an unknown number of'} partitions`);
}

function ofBuilds(builds: readonly WorkerBuild[], deployment: string): Check {
  const check = 'worker builds';
  const current = builds.find(({ isCurrent }) => isCurrent);
  if (current) return good(check, `${current.buildId} is current of ${builds.length}`);
  const found = `none of ${deployment} is current: workers that name a build get no task`;
  return bad(check, found, 'Run `npm run admin -- builds use --build <id>`: docs/upgrade.md.');
}

function ofRetention(days: number, ofNamespace: number | undefined): Check {
  if (days === 0 || ofNamespace === undefined || ofNamespace <= days)
    return good('retention', 'rows outlive histories');
  const found = `EXECUTION_RETENTION_DAYS is ${days}, the namespace keeps ${ofNamespace} days`;
  return bad('retention', found, 'Keep executions at least as long as the namespace does: docs/settings.md.');
}

function isOlder(version: string): boolean {
  const [major = Number.NaN, minor = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_TEMPORAL;
  return major < oldMajor || (major === oldMajor && minor < oldMinor);
}
