import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { APPLIED_MIGRATIONS, type MigrationLevel } from '../../prisma/migrate.ts';
import { BackupProblem } from './backupProblem.ts';
import { keyChecks } from './keyChecks.ts';
import { KEYS_IN_USE } from './keysInUse.ts';
import { BUILD_VERSION, requireLevel } from './level.ts';
import { describeFile, type Manifest, provideEmptyFolder, writeManifest } from './manifest.ts';
import { programVersion, runProgram } from './postgresPrograms.ts';
import { prepareSnapshot, type Snapshot } from './snapshot.ts';

/** The databases of a deployment; `temporal` is absent if Temporal stores its data elsewhere. */
export interface DeploymentDatabases {
  perdure: string;
  temporal?: { main: string; visibility: string } | undefined;
}

/** One database and its dump file. Temporal's come first: a row may be newer than its history, but never older. */
export interface Part {
  name: 'temporal' | 'visibility' | 'perdure';
  url: string;
}

export function partsOf({ perdure, temporal }: DeploymentDatabases): Part[] {
  const ofTemporal: Part[] = temporal
    ? [
        { name: 'temporal', url: temporal.main },
        { name: 'visibility', url: temporal.visibility },
      ]
    : [];
  return [...ofTemporal, { name: 'perdure', url: perdure }];
}

export const dumpFile = (name: Part['name']) => `${name}.dump`;

/**
 * The deployment may be running: all snapshots are taken within milliseconds, Perdure's last; then pg_dump writes them.
 * Throws a BackupProblem; a failed backup has no manifest.
 */
export async function backUpPostgres(
  databases: DeploymentDatabases,
  options: { folder: string; encryptionKey: string | undefined; temporalNamespace: string },
): Promise<Manifest> {
  const startedAt = new Date().toISOString();
  const dump = await programVersion('pg_dump');
  const parts = partsOf(databases);
  await provideEmptyFolder(options.folder);
  const snapshots = await takeSnapshots(parts);
  try {
    const perdure = snapshots.at(-1) as Snapshot;
    for (const { serverVersion } of snapshots) requireNewEnough(dump, serverVersion);
    const migrations = await migrationsOf(perdure);
    const keys = await perdure.rows<{ id: string }>(KEYS_IN_USE);
    const checks = keyChecks(
      options.encryptionKey,
      keys.map(({ id }) => id),
    );
    const files: Manifest['files'] = [];
    for (const [index, { name, url }] of parts.entries()) {
      await dumpTo(join(options.folder, dumpFile(name)), url, (snapshots[index] as Snapshot).id);
      files.push(await describeFile(options.folder, dumpFile(name)));
    }
    const manifest: Manifest = {
      format: 1,
      kind: databases.temporal ? 'postgres' : 'postgresWithoutTemporal',
      version: BUILD_VERSION,
      migrations,
      startedAt,
      finishedAt: new Date().toISOString(),
      temporalAt: databases.temporal ? (snapshots[0] as Snapshot).at.toISOString() : null,
      perdureAt: perdure.at.toISOString(),
      keys: checks,
      temporalNamespace: options.temporalNamespace,
      postgres: {
        server: perdure.serverVersion,
        dump,
        extensions: parts.flatMap(({ name }, index) =>
          (snapshots[index] as Snapshot).extensions.map((extension) => ({ database: name, name: extension })),
        ),
      },
      files,
    };
    await writeManifest(options.folder, manifest);
    return manifest;
  } finally {
    for (const snapshot of snapshots) await snapshot.release();
  }
}

async function takeSnapshots(parts: readonly Part[]): Promise<Snapshot[]> {
  const prepared: Awaited<ReturnType<typeof prepareSnapshot>>[] = [];
  try {
    for (const { url } of parts) prepared.push(await prepareSnapshot(url));
    const taken: Snapshot[] = [];
    for (const each of prepared) taken.push(await each.take());
    return taken;
  } catch (error) {
    for (const each of prepared) await each.release();
    throw error;
  }
}

function requireNewEnough(dump: number, serverVersion: number): void {
  const server = Math.floor(serverVersion / 10_000);
  if (dump >= server) return;
  throw new BackupProblem(
    `pg_dump on the PATH is of version ${dump}, the server is ${server}: put one of ${server} or later first`,
  );
}

async function migrationsOf(perdure: Snapshot): Promise<MigrationLevel[]> {
  const applied = await perdure.rows<MigrationLevel>(APPLIED_MIGRATIONS);
  await requireLevel(applied, 'The database', 'save it with the build that runs on it');
  return applied;
}

async function dumpTo(file: string, url: string, snapshot: string): Promise<void> {
  // Created first with mode 600, so that only the owner can ever read it; pg_dump then writes into the existing file.
  await (await open(file, 'wx', 0o600)).close();
  await runProgram('pg_dump', url, [
    ...[
      '--format=custom',
      `--file=${file}`,
      `--snapshot=${snapshot}`,
      '--no-owner',
      '--no-privileges',
      '--no-comments',
    ],
  ]);
}
