import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { anyPort } from '../../../process/ports.ts';
import { debianPackages } from './debianPackages.ts';

/** Includes the libraries that a slim Debian lacks. */
const PACKAGES = [
  ...['mariadb-server-core', 'mariadb-common', 'libaio1', 'liburing2', 'libnuma1', 'libsnappy1v5', 'libpmem1'],
  ...['libndctl6', 'libdaxctl1'],
];
const SYSTEM_TABLES = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'];

export const MARIADB = await debianPackages('mariadb', PACKAGES);

export interface MariaDb {
  /** Credentials of a connection of the app `mysql`, with all rights on the database `shop`. */
  credentials: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts a real server on loopback with an empty database; `options` are options of mariadbd. */
export async function startMariaDb(root: string, options: string[] = []): Promise<MariaDb> {
  const home = await mkdtemp(join(tmpdir(), 'perdure-mariadb-'));
  const share = join(root, 'usr/share/mysql');
  const data = join(home, 'data');
  await mkdir(data);
  const triplet = (await readdir(join(root, 'usr/lib'))).find((name) => name.includes('linux')) ?? '';
  const libraries = join(root, 'usr/lib', triplet);
  const run = (args: string[]) => {
    const own = ['--no-defaults', `--basedir=${join(root, 'usr')}`, `--datadir=${data}`];
    const small = ['--innodb-log-file-size=8M', '--innodb-buffer-pool-size=16M', `--lc-messages-dir=${share}`];
    const all = [...own, ...small, `--user=${userInfo().username}`, ...args];
    return spawn(join(root, 'usr/sbin/mariadbd'), all, {
      env: { LD_LIBRARY_PATH: libraries },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  };
  const tables = await Promise.all(SYSTEM_TABLES.map((name) => readFile(join(share, name), 'utf8')));
  const password = 'secret-word-1';
  const bootstrap = run(['--bootstrap', '--skip-networking']);
  bootstrap.stderr?.resume();
  bootstrap.stdin?.end(
    [
      ...['CREATE DATABASE mysql;', 'USE mysql;', ...tables, 'FLUSH PRIVILEGES;', 'CREATE DATABASE shop;'],
      `CREATE USER 'shop'@'%' IDENTIFIED BY '${password}';`,
      ...["GRANT ALL ON shop.* TO 'shop'@'%';", ''],
    ].join('\n'),
  );
  const [code] = await once(bootstrap, 'exit');
  if (code !== 0) throw new Error(`mariadbd --bootstrap ended with ${code}`);
  const port = await anyPort();
  const server = run([`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(home, 's')}`, ...options]);
  await ready(server);
  return {
    credentials: { host: '127.0.0.1', port: String(port), database: 'shop', user: 'shop', password },
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((done, fail) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      if (said.includes('ready for connections')) done();
    });
    server.once('exit', (code) => fail(new Error(`mariadbd ended with ${code}: ${said}`)));
  });
}
