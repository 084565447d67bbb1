import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { AdminProblem } from './adminArguments.ts';
import type { Deployment } from './runAdminCommand.ts';

/** Written by `npm start` into its data directory while it runs. */
const RUNNING = z.object({
  pid: z.number().int(),
  databaseUrl: z.string(),
  url: z.string(),
  temporalUiUrl: z.string().nullable(),
});

/**
 * The database to work on, and where the deployment answers: from the environment, else from a running `npm start`. With
 * DATABASE_URL nothing of an `npm start` is looked at: it is another deployment's, and may be another user's.
 */
export async function findDeployment(config: Config): Promise<Deployment & { databaseUrl: string }> {
  if (config.DATABASE_URL !== undefined) {
    const url = config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`;
    return { databaseUrl: config.DATABASE_URL, url, temporalUiUrl: null };
  }
  const file = path.join(config.PERDURE_DATA_DIR, 'running.json');
  const running = await readRunning(file);
  if (running === undefined) {
    throw new AdminProblem(
      `there is no database: set DATABASE_URL, or run \`npm start\` first (${file} names none that lives)`,
    );
  }
  const { databaseUrl, url, temporalUiUrl } = running;
  return { databaseUrl, url: config.PUBLIC_URL ?? url, temporalUiUrl };
}

async function readRunning(file: string): Promise<z.output<typeof RUNNING> | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const running = RUNNING.parse(JSON.parse(text));
  // A file left behind by a stack that was killed.
  return isAlive(running.pid) ? running : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
