import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { PROJECT_ROOT } from '../projectRoot.ts';

export const MIGRATIONS = join(PROJECT_ROOT, 'prisma/migrations');

/** Prisma's lock, the same in all versions: only one process migrates at a time. */
const ADVISORY_LOCK = 72_707_369;

/** SQLSTATE: a missing table, and a missing privilege to read it. */
const NO_TABLE = '42P01';
const NO_RIGHT = '42501';

export interface MigrationLevel {
  name: string;
  /** Hex, as Prisma writes it. */
  checksum: string;
}

interface Migration extends MigrationLevel {
  sql: string;
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const content = await readFile(join(folder, name, 'migration.sql'));
      return { name, sql: content.toString('utf8'), checksum: createHash('sha256').update(content).digest('hex') };
    }),
  );
}

export async function ownMigrations(folder = MIGRATIONS): Promise<MigrationLevel[]> {
  return (await readMigrations(folder)).map(({ name, checksum }) => ({ name, checksum }));
}

export const APPLIED_MIGRATIONS = `SELECT migration_name AS name, checksum FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`;

const APPLIED =
  'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name';

// The same table as in `prisma migrate deploy`, so that both record the same migrations.
const CREATE_RECORD = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export class ChangedMigration extends Error {
  constructor(name: string) {
    super(
      `The database was migrated with another version of ${name}. Before the first release (CHANGELOG.md) the migration is changed in place: create the database again. After it: restore the file and write a new migration instead.`,
    );
    this.name = 'ChangedMigration';
  }
}

export class HalfMigration extends Error {
  constructor(name: string) {
    super(`Migration ${name} failed half way in an earlier run. Mend the database, then \`prisma migrate resolve\`.`);
    this.name = 'HalfMigration';
  }
}

function mismatchOf(row: Applied, migration: Migration | undefined): HalfMigration | ChangedMigration | undefined {
  if (row.finished_at === null) return new HalfMigration(row.migration_name);
  const isChanged = migration !== undefined && row.checksum !== migration.checksum;
  return isChanged ? new ChangedMigration(row.migration_name) : undefined;
}

/** Expects rows ordered by name, because the first mismatch is the one to repair. */
function check(applied: Applied[], migrations: Migration[]): void {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = byName.get(row.migration_name);
    if (migration === undefined) {
      throw new Error(
        `The database has migration ${row.migration_name}, which this version does not know: it was migrated by a newer one.`,
      );
    }
    const mismatch = mismatchOf(row, migration);
    if (mismatch) throw mismatch;
  }
}

/** Returns false if another process has applied it: advisory locks have no effect in PGlite's single session. */
async function apply(client: pg.Client, migration: Migration): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query('LOCK TABLE _prisma_migrations IN EXCLUSIVE MODE');
    const { rowCount } = await client.query(
      'SELECT 1 FROM _prisma_migrations WHERE migration_name = $1 AND rolled_back_at IS NULL',
      [migration.name],
    );
    if (rowCount !== 0) {
      await client.query('ROLLBACK');
      return false;
    }
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, now(), $3, now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Applies each by name in its own transaction. Throws if an applied one has changed, has failed or is unknown. */
export async function migrate(url: string, folder = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await connect(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(CREATE_RECORD);
    const { rows: applied } = await client.query<Applied>(APPLIED);
    check(applied, migrations);
    const known = new Set(applied.map((row) => row.migration_name));
    const now: string[] = [];
    for (const migration of migrations) {
      if (!known.has(migration.name) && (await apply(client, migration))) now.push(migration.name);
    }
    return now;
  } finally {
    // PGlite has one session for all connections: closing this one would not release the lock.
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => undefined);
    await client.end();
  }
}

export interface MigrationState {
  missing: string[];
  /** Migrations that this version does not have. It works with them. */
  newer: string[];
  mismatch: HalfMigration | ChangedMigration | undefined;
}

/** Returns undefined if the role may not read the record, which belongs to the migrating role. */
export async function migrationState(url: string, folder = MIGRATIONS): Promise<MigrationState | undefined> {
  const migrations = await readMigrations(folder);
  const client = await connect(url);
  try {
    const { rows } = await client.query<Applied>(APPLIED);
    return compare(rows, migrations);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === NO_TABLE) return compare([], migrations);
    if (code === NO_RIGHT) return undefined;
    throw error;
  } finally {
    await client.end();
  }
}

function compare(applied: readonly Applied[], migrations: readonly Migration[]): MigrationState {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const isKnown = ({ migration_name }: Applied) => byName.has(migration_name);
  const finished = new Set(applied.filter(({ finished_at }) => finished_at !== null).map((row) => row.migration_name));
  const [mismatch] = applied.flatMap((row) => mismatchOf(row, byName.get(row.migration_name)) ?? []);
  return {
    missing: migrations.map(({ name }) => name).filter((name) => !finished.has(name)),
    newer: applied.filter((row) => !isKnown(row)).map((row) => row.migration_name),
    mismatch,
  };
}

export async function missingMigrations(url: string, folder = MIGRATIONS): Promise<string[]> {
  return (await migrationState(url, folder))?.missing ?? [];
}

/** Throws if the schema is older: /readyz would be 200, requests 500. A newer one works, as in an upgrade. */
export async function requireMigrated(url: string): Promise<void> {
  const missing = await missingMigrations(url);
  if (missing.length === 0) return;
  throw new Error(`the database lacks ${missing.join(', ')}: run \`npm run migrate\` first`);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The running statement rejects too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
