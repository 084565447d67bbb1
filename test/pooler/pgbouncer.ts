import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { anyPort } from '../../process/ports.ts';
import { poll } from '../setup/jest/poll.ts';

const run = promisify(execFile);

/** Includes libraries that a slim Debian lacks. */
const PACKAGES = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2'];

export interface Pooler {
  /** Address of a database of the server through the pooler. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** Uses an installed PgBouncer, else one that apt fetches into the folder. */
async function findPgbouncer(folder: string): Promise<{ command: string; libraries: string }> {
  const installed = await run('sh', ['-c', 'command -v pgbouncer']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  if (installed !== undefined) return { command: installed, libraries: '' };
  await run('apt-get', ['download', ...PACKAGES], { cwd: folder });
  for (const file of await readdir(folder)) {
    if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', join(folder, file), folder]);
  }
  const { stdout } = await run('sh', ['-c', `dirname "$(find '${folder}' -name 'libevent*.so*' | head -1)"`]);
  return { command: join(folder, 'usr/sbin/pgbouncer'), libraries: stdout.trim() };
}

/** Each transaction gets its own connection to the server of `url`. */
export async function startPgbouncer(url: string): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-pooler-'));
  // It refuses to run as root; another user must be able to read its files.
  await chmod(folder, 0o755);
  const { command, libraries } = await findPgbouncer(folder);
  const { hostname, port, username, password } = new URL(url);
  const listen = await anyPort();
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port} user=${username}${password === '' ? '' : ` password=${decodeURIComponent(password)}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
`,
  );
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const [program = command, ...args] = [...asNobody, command, join(folder, 'pgbouncer.ini')];
  const child: ChildProcess = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said += text;
  });
  const urlOf = (database: string) => `postgresql://${username}@127.0.0.1:${listen}/${database}`;
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${said}`);
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch (error) {
      return String(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await poll(answers, { timeout: 20_000, interval: 200 }).toBe(true);
  return {
    urlOf,
    async stop() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill()) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
