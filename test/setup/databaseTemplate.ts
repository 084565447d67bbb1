import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPglite } from '../../embedded/pglite.ts';
import { MIGRATIONS, migrate } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const FOLDER = join(PROJECT_ROOT, 'node_modules/.cache/perdure-database');

/** A hash of all inputs of the template. */
function fingerprint(): string {
  const hash = createHash('sha256').update(process.arch);
  const packages = ['pglite', 'pglite-pgvector'].map((name) => `node_modules/@electric-sql/${name}/package.json`);
  const migrations = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => join(MIGRATIONS, path));
  const own = [join(PROJECT_ROOT, 'dist/embedded/pgliteServer.js'), ...migrations];
  for (const path of [...packages.map((path) => join(PROJECT_ROOT, path)), ...own]) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** As a first start finds it, or with the schema and no rows. */
type Kind = 'empty' | 'migrated';

/**
 * Lays PGlite's data into a folder that has none. To make a new cluster costs more than most tests: it is made once, and
 * copied.
 */
export async function layDatabase(dataDir: string, kind: Kind): Promise<void> {
  const template = join(FOLDER, fingerprint());
  if (!existsSync(template)) await makeTemplate(template);
  cpSync(join(template, kind, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
}

async function makeTemplate(template: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const others = readdirSync(FOLDER).filter((name) => !name.startsWith('new-'));
  const fresh = mkdtempSync(join(FOLDER, 'new-'));
  try {
    const [empty, migrated] = [join(fresh, 'empty'), join(fresh, 'migrated')];
    await (await runIn(empty)).stop();
    cpSync(join(empty, 'postgres'), join(migrated, 'postgres'), { recursive: true });
    const { url, stop } = await runIn(migrated);
    await migrate(url).finally(stop);
    renameSync(fresh, template);
    for (const name of others) rmSync(join(FOLDER, name), { recursive: true, force: true });
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(template)) throw error;
  }
}

async function runIn(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const { url, child } = await startPglite({ dataDir, say: () => undefined });
  return { url, stop: () => child.stop(10_000) };
}
