import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from './privateFile.ts';

/** The addresses of a running stack, for `npm run admin` and the tests. */
export interface Running {
  pid: number;
  url: string;
  temporalUiUrl: string | null;
  databaseUrl: string;
  temporalAddress: string;
  /** URL of `GET /metrics`; null if it is not served. */
  metricsUrl: string | null;
}

/** Writes `<dataDir>/running.json` (0600); returns a function that removes it. */
export async function writeRunning(dataDir: string, running: Running): Promise<() => Promise<void>> {
  const path = join(dataDir, 'running.json');
  await writePrivate(path, running);
  return () => rm(path, { force: true });
}
