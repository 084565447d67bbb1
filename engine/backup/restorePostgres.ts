import { join } from 'node:path';
import pg from 'pg';
import { createDatabase } from '../../prisma/client.ts';
import { APPLIED_MIGRATIONS, type MigrationLevel } from '../../prisma/migrate.ts';
import { type DeploymentDatabases, dumpFile, type Part, partsOf } from './backUpPostgres.ts';
import { BackupProblem } from './backupProblem.ts';
import { requireKeys } from './keyChecks.ts';
import { requireLevel } from './level.ts';
import { type Manifest, readManifest, requireWholeFiles } from './manifest.ts';
import { programVersion, runProgram } from './postgresPrograms.ts';
import { type Restored, settleRestored } from './settleRestored.ts';
import { knownWorkflows } from './temporalTables.ts';

const OWN_THINGS = `
  SELECT count(*)::int AS count FROM (
    SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    UNION ALL
    SELECT p.oid FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  ) things`;

interface Extension {
  name: string;
  isUsable: boolean;
}

/** A trusted extension needs the right to create in the database, any other one needs a superuser. */
const EXTENSIONS = `
  SELECT a.name::text AS name, e.oid IS NOT NULL OR r.rolsuper OR NOT v.superuser
      OR (v.trusted AND has_database_privilege(current_database(), 'CREATE')) AS "isUsable"
  FROM pg_available_extensions a JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
  JOIN pg_roles r ON r.rolname = current_user LEFT JOIN pg_extension e ON e.extname = a.name`;

/** Temporal's server looks up its schema version under the name of its database. */
const OWN_NAME = 'UPDATE schema_version SET db_name = current_database()';

/** Addresses of the old servers: a new server that reached them would join their cluster and serve their workflows. */
const NO_MEMBERS = 'DELETE FROM cluster_membership';

/**
 * Writes a backup into empty databases that no process uses yet, and settles it so that nothing is stuck. Throws a
 * BackupProblem before any write if backup, build, keys and targets do not match. Each database is written in one
 * transaction.
 */
export async function restorePostgres(
  databases: DeploymentDatabases,
  options: { folder: string; encryptionKey: string | undefined; temporalNamespace: string },
): Promise<{ manifest: Manifest; restored: Restored }> {
  const { folder, encryptionKey, temporalNamespace } = options;
  const manifest = await readManifest(folder);
  await requireFitting(manifest, databases, options);
  requireKeys(encryptionKey, manifest.keys);
  await requireWholeFiles(folder, manifest);
  const parts = partsOf(databases);
  for (const part of parts) await requireTarget(part, manifest);
  for (const { name, url } of parts) {
    await runProgram('pg_restore', url, [
      ...[
        '--single-transaction',
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
        '--no-comments',
        join(folder, dumpFile(name)),
      ],
    ]);
    await onDatabase(url, async (client) => {
      if (name !== 'perdure') await client.query(OWN_NAME);
      if (name === 'temporal') await client.query(NO_MEMBERS);
      await client.query('ANALYZE');
    });
  }
  const applied = await onDatabase(databases.perdure, (client) => client.query<MigrationLevel>(APPLIED_MIGRATIONS));
  await requireLevel(applied.rows, 'The restored database', 'restore with the build of the backup');
  const known = databases.temporal && knownWorkflows(databases.temporal.main, temporalNamespace);
  // Statements over all workspaces may take long.
  const database = createDatabase(databases.perdure, 1, { statementTimeoutMs: 3_600_000 });
  try {
    const temporalAt = new Date(manifest.temporalAt ?? manifest.perdureAt);
    return { manifest, restored: await settleRestored(database, temporalAt, known) };
  } finally {
    await database.close();
  }
}

async function requireFitting(
  manifest: Manifest,
  databases: DeploymentDatabases,
  { folder, temporalNamespace }: { folder: string; temporalNamespace: string },
): Promise<void> {
  const { kind, version, migrations, postgres } = manifest;
  if (kind === 'folder' || postgres === null) {
    throw new BackupProblem(
      `${folder} has the data folder of an \`npm start\`: restore it by \`npm run restore -- --from ${folder}\``,
    );
  }
  if (kind === 'postgres' && !databases.temporal) {
    throw new BackupProblem(
      'The backup has the databases of Temporal too: set TEMPORAL_DATABASE_URL and TEMPORAL_VISIBILITY_DATABASE_URL',
    );
  }
  if (kind === 'postgresWithoutTemporal' && databases.temporal) {
    throw new BackupProblem('The backup was made --without-temporal: restore it so too');
  }
  if (kind === 'postgres' && manifest.temporalNamespace !== temporalNamespace) {
    throw new BackupProblem(
      `TEMPORAL_NAMESPACE is ${temporalNamespace}, that of the backup is ${manifest.temporalNamespace}`,
    );
  }
  await requireLevel(migrations, 'The backup', `restore it with the build ${version}, then upgrade: docs/upgrade.md`);
  const restore = await programVersion('pg_restore');
  if (restore < postgres.dump) {
    throw new BackupProblem(
      `pg_restore on the PATH is of version ${restore}, the backup was written by pg_dump ${postgres.dump}`,
    );
  }
}

async function requireTarget({ name, url }: Part, { postgres }: Manifest): Promise<void> {
  const facts = await onDatabase(url, async (client) => ({
    version:
      (await client.query<{ version: number }>(`SELECT current_setting('server_version_num')::int AS version`)).rows[0]
        ?.version ?? 0,
    things: (await client.query<{ count: number }>(OWN_THINGS)).rows[0]?.count ?? 0,
    extensions: (await client.query<Extension>(EXTENSIONS)).rows,
  }));
  const variable = {
    temporal: 'TEMPORAL_DATABASE_URL',
    visibility: 'TEMPORAL_VISIBILITY_DATABASE_URL',
    perdure: 'DATABASE_URL',
  }[name];
  if (facts.things > 0) {
    throw new BackupProblem(
      `The database of ${variable} is not empty (it has ${facts.things} tables, indexes and functions): name an empty one`,
    );
  }
  const [from, to] = [postgres?.server ?? 0, facts.version].map((version) => Math.floor(version / 10_000)) as [
    number,
    number,
  ];
  if (to < from) throw new BackupProblem(`The server of ${variable} is Postgres ${to}, the backup comes from ${from}`);
  const needed = (postgres?.extensions ?? []).filter((each) => each.database === name).map((each) => each.name);
  const usable = new Map(facts.extensions.map((each) => [each.name, each.isUsable]));
  const absent = needed.filter((each) => !usable.has(each));
  if (absent.length > 0) throw new BackupProblem(`The server of ${variable} lacks the extension ${absent.join(', ')}`);
  const forbidden = needed.filter((each) => usable.get(each) === false);
  if (forbidden.length > 0) {
    const statements = forbidden.map((each) => `CREATE EXTENSION ${each};`).join(' ');
    throw new BackupProblem(
      `The database of ${variable} lacks the extension ${forbidden.join(', ')}, and its role may not create it: have a superuser run ${statements} in it, then restore again`,
    );
  }
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The running statement rejects too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
