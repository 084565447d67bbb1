import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from './privateFile.ts';

/** The addresses of a running stack, for `npm run admin` and the tests. */
export interface Running {
  /** Of the process of API and worker. */
  pid: number;
  url: string;
  temporalUiUrl: string | null;
  databaseUrl: string;
  temporalAddress: string;
  /** Of `GET /metrics`; null where none are served. */
  metricsUrl: string | null;
}

/** Writes `<dataDir>/running.json` (0600); answers how to remove it again. */
export async function writeRunning(dataDir: string, running: Running): Promise<() => Promise<void>> {
  const path = join(dataDir, 'running.json');
  await writePrivate(path, running);
  return () => rm(path, { force: true });
}
