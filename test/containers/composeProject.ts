import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyPort } from '../../process/ports.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const run = promisify(execFile);

/** `docker compose`, or another program with the same arguments. */
const [COMMAND, ...FIRST] = (process.env.COMPOSE_COMMAND ?? 'docker compose').split(' ') as [string, ...string[]];

export interface ComposeProject {
  url: string;
  /** For files that containers leave behind. */
  folder: string;
  /** Returns the output, which is also in the error. */
  compose(...args: string[]): Promise<string>;
  /** Removes containers, networks and volumes. */
  end(): Promise<void>;
}

const secret = (bytes: number) => randomBytes(bytes).toString('hex');

/** Own names, ports, volumes and secrets, in case another project runs here. */
export async function composeProject(): Promise<ComposeProject> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-compose-'));
  const port = await anyPort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    POSTGRES_PASSWORD: secret(24),
    TOKEN_SECRET: secret(48),
    ENCRYPTION_KEY: `first:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: url,
    API_PORT: `127.0.0.1:${port}`,
    TEMPORAL_UI_PORT: String(await anyPort()),
  };
  const file = join(folder, '.env');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    { mode: 0o600 },
  );
  const project = `perdure-test-${secret(4)}`;
  process.stderr.write(`perdure  a run that is broken off leaves: compose --project-name ${project} down --volumes\n`);

  async function compose(...args: string[]): Promise<string> {
    const options = ['--project-name', project, '--env-file', file];
    const { stdout } = await run(COMMAND, [...FIRST, ...options, ...args], {
      cwd: PROJECT_ROOT,
      maxBuffer: 50_000_000,
    });
    return stdout;
  }

  async function end(): Promise<void> {
    await compose('--profile', 'save', 'down', '--volumes', '--timeout', '30');
    await rm(folder, { recursive: true, force: true });
  }

  return { url, folder, compose, end };
}
