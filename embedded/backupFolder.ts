import { existsSync } from 'node:fs';
import { chmod, constants, copyFile, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { BackupProblem } from '../engine/backup/backupProblem.ts';
import { keyChecks, requireKeys } from '../engine/backup/keyChecks.ts';
import { KEYS_IN_USE } from '../engine/backup/keysInUse.ts';
import { BUILD_VERSION, requireLevel } from '../engine/backup/level.ts';
import {
  describeFile,
  type Manifest,
  provideEmptyFolder,
  readManifest,
  requireWholeFiles,
  writeManifest,
} from '../engine/backup/manifest.ts';
import { type Restored, settleRestored } from '../engine/backup/settleRestored.ts';
import { createDatabase } from '../prisma/client.ts';
import { APPLIED_MIGRATIONS, type MigrationLevel } from '../prisma/migrate.ts';
import { takeExclusiveUse } from './exclusiveUse.ts';
import { startPglite } from './pglite.ts';
import { runningData } from './runningData.ts';
import type { Say } from './say.ts';
import type { Secrets } from './secrets.ts';

/** Files to back up besides PGlite's folder. Temporal recreates its `-shm`. */
const FILES = ['temporal.db', 'temporal.db-wal', 'secrets.json', 'credentials.json'];
const DATABASE = 'postgres';
const STOP_MS = 30_000;

export interface FolderOptions {
  /** The data folder of `npm start`, which must not run during a restore. */
  dataDir: string;
  folder: string;
  /** Environment variable; takes precedence over the key of the data folder. */
  encryptionKey: string | undefined;
  temporalNamespace: string;
  say: Say;
}

/** A running one is paused during the copy. The backup contains `secrets.json`. Throws a BackupProblem. */
export async function backUpFolder(options: FolderOptions): Promise<Manifest> {
  const { folder, encryptionKey, temporalNamespace, say } = options;
  const startedAt = new Date().toISOString();
  if (!existsSync(join(options.dataDir, DATABASE))) {
    throw new BackupProblem(
      `${options.dataDir} holds no database: PERDURE_DATA_DIR names the data folder of \`npm start\``,
    );
  }
  const dataDir = await realpath(options.dataDir);
  const release = await takeExclusiveUse(dataDir);
  try {
    const running = release ? undefined : await runningData(dataDir);
    const facts = await (running ? readFacts(running.databaseUrl) : withDatabase(dataDir, say, readFacts));
    await requireLevel(facts.migrations, 'The data', 'save them with the build that wrote them');
    const keys = keyChecks(encryptionKey ?? (await keptKey(dataDir)), facts.keyIds);
    await provideEmptyFolder(folder);
    const copy = async () => {
      const from = Date.now();
      const content = await contentOf(dataDir);
      await copyAll(dataDir, folder, content.files, content.folders);
      return { ...content, at: new Date(from).toISOString(), tookMs: Date.now() - from };
    };
    const { files, folders, at, tookMs } = await (running ? running.still(copy) : copy());
    if (running) say(`its databases were paused for ${tookMs} ms`);
    const described: Manifest['files'] = [];
    for (const path of files) described.push(await describeFile(folder, path));
    const manifest: Manifest = {
      ...{ format: 1, kind: 'folder', version: BUILD_VERSION, migrations: facts.migrations, startedAt },
      ...{ finishedAt: new Date().toISOString(), temporalAt: at, perdureAt: at, keys, temporalNamespace },
      ...{ postgres: null, files: described, folders },
    };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    release?.();
  }
}

/** Restores into a missing or empty folder. Throws a BackupProblem before writing if anything does not match. */
export async function restoreFolder(options: FolderOptions): Promise<{ manifest: Manifest; restored: Restored }> {
  const { folder, encryptionKey, say } = options;
  const manifest = await readManifest(folder);
  if (manifest.kind !== 'folder') {
    throw new BackupProblem(`${folder} has databases of Postgres: restore it by \`npm run admin -- restore\``);
  }
  await requireLevel(manifest.migrations, 'The backup', `restore it with the build ${manifest.version}`);
  requireKeys(encryptionKey ?? (await keptKey(folder)), manifest.keys);
  await requireWholeFiles(folder, manifest);
  await provideEmptyFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  return alone(dataDir, async () => {
    try {
      await copyAll(
        folder,
        dataDir,
        manifest.files.map(({ path }) => path),
        manifest.folders ?? [],
      );
      const restored = await withDatabase(dataDir, say, async (url) => {
        const database = createDatabase(url, 1, { statementTimeoutMs: 3_600_000 });
        return settleRestored(database, new Date(manifest.perdureAt)).finally(() => database.close());
      });
      return { manifest, restored };
    } catch (error) {
      // A start would treat a partial folder as complete.
      for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true });
      throw error;
    }
  });
}

async function alone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const release = await takeExclusiveUse(dataDir);
  if (release === undefined) throw new BackupProblem(`Perdure runs on ${dataDir}: stop it first`);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Runs PGlite on the folder during `work`; stopping it writes everything to its files. */
async function withDatabase<T>(dataDir: string, say: Say, work: (url: string) => Promise<T>): Promise<T> {
  const { url, child } = await startPglite({ dataDir, say });
  try {
    return await work(url);
  } finally {
    await child.stop(STOP_MS);
  }
}

async function readFacts(url: string): Promise<{ migrations: MigrationLevel[]; keyIds: string[] }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: migrations } = await client.query<MigrationLevel>(APPLIED_MIGRATIONS);
    const { rows: keys } = await client.query<{ id: string }>(KEYS_IN_USE);
    return { migrations, keyIds: keys.map(({ id }) => id) };
  } finally {
    await client.end();
  }
}

async function keptKey(folder: string): Promise<string | undefined> {
  const file = join(folder, 'secrets.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(await readFile(file, 'utf8')) as Secrets).ENCRYPTION_KEY;
}

async function contentOf(dataDir: string): Promise<{ files: string[]; folders: string[] }> {
  const entries = await readdir(join(dataDir, DATABASE), { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof entries)[number]) => relative(dataDir, join(entry.parentPath, entry.name));
  const files = entries.filter((entry) => entry.isFile()).map(pathOf);
  // Postgres does not start without its empty folders.
  const folders = [DATABASE, ...entries.filter((entry) => entry.isDirectory()).map(pathOf)];
  return {
    files: [...files.sort(), ...FILES.filter((name) => existsSync(join(dataDir, name)))],
    folders: folders.sort(),
  };
}

async function copyAll(from: string, to: string, files: readonly string[], folders: readonly string[]): Promise<void> {
  for (const path of folders) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
  for (const path of files) {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    await chmod(join(to, path), 0o600);
  }
}
