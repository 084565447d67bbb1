import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { AdminProblem } from './adminArguments.ts';
import type { Deployment } from './runAdminCommand.ts';

const RUNNING = z.object({
  pid: z.number().int(),
  databaseUrl: z.string(),
  url: z.string(),
  temporalUiUrl: z.string().nullable(),
  temporalAddress: z.string(),
});

export interface FoundDeployment {
  deployment: Deployment;
  databaseUrl: string;
  /** Temporal server of an `npm start`; undefined if the environment has one. */
  temporalAddress: string | undefined;
  /** ENCRYPTION_KEY; undefined if neither the environment nor `npm start` has one. */
  encryptionKey: string | undefined;
}

/** Written by `npm start` into its data directory if the environment sets none. */
const SECRETS = z.object({ ENCRYPTION_KEY: z.string() });

/** With DATABASE_URL it ignores a running `npm start`, which may belong to another deployment and another user. */
export async function findDeployment(config: Config): Promise<FoundDeployment> {
  if (config.DATABASE_URL !== undefined) {
    const url = config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`;
    const { ENCRYPTION_KEY: encryptionKey } = config;
    // Uses one connection, without a pooler.
    const databaseUrl = config.DATABASE_LISTEN_URL ?? config.DATABASE_URL;
    return { deployment: { url, temporalUiUrl: null }, databaseUrl, temporalAddress: undefined, encryptionKey };
  }
  const file = path.join(config.PERDURE_DATA_DIR, 'running.json');
  const found = await readIfThere(file, RUNNING);
  // Ignores a file left behind by a killed stack.
  const running = found && isAlive(found.pid) ? found : undefined;
  if (running === undefined) {
    throw new AdminProblem(
      `there is no database: set DATABASE_URL, or run \`npm start\` first (${file} names no running database)`,
    );
  }
  const { databaseUrl, url, temporalUiUrl, temporalAddress } = running;
  const secrets = await readIfThere(path.join(config.PERDURE_DATA_DIR, 'secrets.json'), SECRETS);
  return {
    deployment: { url: config.PUBLIC_URL ?? url, temporalUiUrl },
    databaseUrl,
    temporalAddress,
    encryptionKey: config.ENCRYPTION_KEY ?? secrets?.ENCRYPTION_KEY,
  };
}

async function readIfThere<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return schema.parse(JSON.parse(text));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
