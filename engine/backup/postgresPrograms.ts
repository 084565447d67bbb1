import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BackupProblem } from './backupProblem.ts';

const run = promisify(execFile);

/** Connection parameters that Postgres's own programs accept in a URL too; others are specific to node-postgres. */
const SHARED_PARAMETERS = [
  ...['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'connect_timeout', 'target_session_attrs'],
];

const SHOWN = 4_000;

/** Returns the major version of the program on the PATH. Throws a BackupProblem if there is none. */
export async function programVersion(program: 'pg_dump' | 'pg_restore'): Promise<number> {
  let text: string;
  try {
    text = (await run(program, ['--version'])).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupProblem(`There is no ${program} on the PATH: install Postgres's client programs`);
  }
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(text) ?? [];
  if (major === undefined) throw new BackupProblem(`${program} --version says ${text.trim()}`);
  return Number(major);
}

/** Moves the password from the URL to the environment. Without a password, Postgres reads its pgpass file. */
export function connectionOf(url: string): { argument: string; environment: Record<string, string> } {
  const shown = new URL(url);
  const password = decodeURIComponent(shown.password);
  shown.password = '';
  const asked = shown.searchParams.get('password');
  const { searchParams } = shown;
  for (const name of [...searchParams.keys()]) if (!SHARED_PARAMETERS.includes(name)) searchParams.delete(name);
  const secret = password || asked;
  return { argument: shown.href, environment: secret ? { PGPASSWORD: secret } : {} };
}

/** Throws an Error with the end of the program's output. */
export async function runProgram(
  program: 'pg_dump' | 'pg_restore',
  url: string,
  args: readonly string[],
): Promise<void> {
  const { argument, environment } = connectionOf(url);
  try {
    await run(program, [`--dbname=${argument}`, '--no-password', ...args], {
      env: { ...process.env, ...environment, PGAPPNAME: 'perdure backup' },
      maxBuffer: 100_000_000,
    });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`${program} failed: ${(stderr || message).trim().slice(-SHOWN)}`, { cause: error });
  }
}
