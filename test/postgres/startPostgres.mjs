// An empty Postgres on loopback, which ends with this process in any case.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newDataFolder } from '../runner/dataFolder.mjs';

/** `nobody`: Postgres refuses to run as root. */
const UNPRIVILEGED = 65534;
/** As in embedded/childProcess.ts: a watcher kills the child when our end of the pipe closes. */
const WATCHED = '( exec >/dev/null 2>&1; read -r line <&3 || kill -9 -$$ ) & exec 3<&-; exec "$0" "$@"';
const READY_MS = 30_000;

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/**
 * Starts it in a new folder below the temporary one, which another user may enter.
 * @param {(home: string) => string} place installs the binaries there and returns their folder `bin`
 * @param {{ settings?: Record<string, string | number>, files?: Record<string, string> }} [more] further settings, and files
 *   in its data folder that only the server may read
 * @returns {Promise<{ url: string, bin: string, stop: () => Promise<void> }>}
 */
export async function startPostgres(place, more = {}) {
  const home = mkdtempSync(join(tmpdir(), 'perdure-postgres-'));
  const data = newDataFolder('perdure-postgres-');
  chmodSync(home, 0o755);
  const bin = place(home);
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if (isRoot) chownSync(data, UNPRIVILEGED, UNPRIVILEGED);

  const password = randomBytes(16).toString('hex');
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password);
  if (isRoot) chownSync(passwordFile, UNPRIVILEGED, UNPRIVILEGED);
  const init = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
    '--no-sync',
  ];
  execFileSync(join(bin, 'initdb'), [...init, '--locale=C'], {
    ...as,
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  for (const [name, content] of Object.entries(more.files ?? {})) {
    const file = join(data, name);
    // An initialized data folder is reused.
    appendFileSync(file, content, { mode: 0o600 });
    if (isRoot) chownSync(file, UNPRIVILEGED, UNPRIVILEGED);
  }

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    // The data need not survive a power cut.
    fsync: 'off',
    ...more.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn('sh', ['-c', WATCHED, join(bin, 'postgres'), '-D', data, '-p', String(port), ...args], {
    ...as,
    cwd: home,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (text) => {
    printed = `${printed}${text}`.slice(-4_000);
  });
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(url, child, () => printed);
  return { url, bin, stop: () => stopPostgres(child, [home, data]) };
}

async function untilReady(url, child, printed) {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`Postgres did not start: ${error}\n${printed()}`);
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function stopPostgres(child, folders) {
  if (child.exitCode === null) {
    const ended = new Promise((done) => child.once('exit', done));
    // Fast shutdown: it does not wait for clients.
    child.kill('SIGINT');
    await ended;
  }
  child.stdio[3].end('ended\n');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
