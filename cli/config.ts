import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Context {
  url: string;
  apiKey: string;
  projectId?: string;
}

export interface Config {
  current?: string;
  contexts: Record<string, Context>;
}

/** In the user's configuration folder, readable only by the user. */
export function configPath(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'perdure/config.json');
}

export async function readConfig(path = configPath()): Promise<Config> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Config;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Atomic, so that one of two concurrent commands wins. */
export async function writeConfig(config: Config, path = configPath()): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
