import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyPort } from '../../process/ports.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const run = promisify(execFile);

/** What is called: `docker compose`, or another program that takes its arguments. */
const [COMMAND, ...FIRST] = (process.env.COMPOSE_COMMAND ?? 'docker compose').split(' ') as [string, ...string[]];

export interface ComposeProject {
  /** Of the API. */
  url: string;
  /** A folder of its own, for what containers leave. */
  folder: string;
  /** `compose <arguments>`; answers what it printed. Throws with that where it fails. */
  compose(...args: string[]): Promise<string>;
  /** Containers, networks and volumes are gone afterwards. */
  end(): Promise<void>;
}

const secret = (bytes: number) => randomBytes(bytes).toString('hex');

/** docker-compose.yml as a project of its own, beside one that may run here: its name, ports, volumes and secrets. */
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
