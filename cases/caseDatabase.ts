import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../embedded/cacheFolder.ts';
import { layDatabase } from '../embedded/databaseTemplate.ts';
import { startPglite } from '../embedded/pglite.ts';
import type { Say } from '../embedded/say.ts';

const GRACE_MS = 2_000;

/** An empty, migrated database in a temporary folder, which `stop` removes. */
export interface CaseDatabase {
  folder: string;
  url: string;
  stop(): Promise<void>;
}

/** Imports little, so that the database starts while the platform's modules are loaded. */
export async function startCaseDatabase(say: Say): Promise<CaseDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-test-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await layDatabase(folder, { folder: join(cacheFolder(process.env), 'databases'), kind: 'migrated', say });
    const { url, child } = await startPglite({ dataDir: folder, say });
    return {
      folder,
      url,
      async stop() {
        await child.stop(GRACE_MS);
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
