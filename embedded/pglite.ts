import { join } from 'node:path';
import pg from 'pg';
import { PROJECT_ROOT } from '../projectRoot.ts';
import { type SupervisedChild, startChild } from './childProcess.ts';
import { provideSocketFolder, socketFile, socketUrl } from './databaseSocket.ts';
import type { Say } from './say.ts';

export interface EmbeddedDatabase {
  url: string;
  child: SupervisedChild;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  // A disconnect means `false`, not an uncaught error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Serves a Unix socket for this user, data in `<dataDir>/postgres`. `port` makes every local user a superuser. */
export async function startPglite(options: {
  dataDir: string;
  port?: number | undefined;
  say: Say;
}): Promise<EmbeddedDatabase> {
  const folder = await provideSocketFolder(options.dataDir);
  const url = socketUrl(folder);
  const child = await startChild({
    name: 'database',
    command: process.execPath,
    args: [
      join(PROJECT_ROOT, 'dist/embedded/pgliteServer.js'),
      join(options.dataDir, 'postgres'),
      socketFile(folder),
      ...(options.port === undefined ? [] : [String(options.port)]),
    ],
    logFile: join(options.dataDir, 'logs/database.log'),
    isReady: () => answers(url),
    readyTimeoutMs: 60_000,
    say: options.say,
  });
  return { url, child };
}
