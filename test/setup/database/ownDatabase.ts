import { rmSync } from 'node:fs';
import type { TemplateKind } from '../../../embedded/databaseTemplate.ts';
import { startPglite } from '../../../embedded/pglite.ts';
import { createDatabase, type Database } from '../../../prisma/client.ts';
import { migrate } from '../../../prisma/migrate.ts';
import { choosePort } from '../../../process/ports.ts';
import { newDataFolder } from '../../runner/dataFolder.mjs';
import { layDatabase } from './databaseTemplate.ts';
import { createDatabaseOn, onServer } from './serverDatabase.ts';

export interface OwnDatabase {
  url: string;
  dispose(): Promise<void>;
}

/** Parallel test files choose among different ports, because a chosen port is bound only a moment later. */
async function ownPort(): Promise<number> {
  for (;;) {
    const port = await choosePort({ name: 'POSTGRES_PORT', port: 0, isDefault: false });
    if (port % 2 === Number(process.env.JEST_WORKER_ID ?? 0) % 2) return port;
  }
}

/** Starts an empty database: on the server of DATABASE_URL, or a separate PGlite on a socket. */
export function startDatabase(): Promise<OwnDatabase> {
  return start('empty');
}

/** Starts one on a port, for clients that connect by host and port. */
export function startTcpDatabase(): Promise<OwnDatabase> {
  return start('empty', ownPort);
}

async function start(kind: TemplateKind, choose?: () => Promise<number>): Promise<OwnDatabase> {
  const server = process.env.DATABASE_URL;
  if (server) {
    const { url, name } = await createDatabaseOn(server, kind);
    return { url, dispose: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
  }
  const dataDir = newDataFolder('perdure-database-');
  await layDatabase(dataDir, kind);
  const port = await choose?.();
  const { url, child } = await startPglite({ dataDir, port, say: () => undefined });
  return {
    url: port === undefined ? url : `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async dispose() {
      await child.stop(2_000);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface MigratedDatabase extends OwnDatabase {
  database: Database;
}

export async function startMigratedDatabase(poolSize = 2): Promise<MigratedDatabase> {
  const { url, dispose } = await start('migrated');
  await migrate(url);
  const database = createDatabase(url, poolSize);
  return { url, database, dispose: () => database.close().then(dispose) };
}
