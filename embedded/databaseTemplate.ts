import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MIGRATIONS, migrate } from '../prisma/migrate.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';
import { fetchOnce } from './fetchOnce.ts';
import { startPglite } from './pglite.ts';
import type { Say } from './say.ts';

/** A first start's database, or one with the schema and no rows. */
export type TemplateKind = 'empty' | 'migrated';

export interface TemplateOptions {
  folder: string;
  kind: TemplateKind;
  say: Say;
}

const GRACE_MS = 10_000;
/** Unused templates of other versions are deleted after this time. */
const KEPT_MS = 7 * 86_400_000;

/** Copies an empty database into a folder. Creating a cluster takes seconds, so one is kept per set of migrations. */
export async function layDatabase(dataDir: string, { folder, kind, say }: TemplateOptions): Promise<void> {
  const template = join(folder, `${kind}-${await fingerprint()}`);
  const found = await fetchOnce(
    { folder: template, name: 'postgres', what: 'an empty database', say },
    async (workshop) => {
      say('preparing an empty database, once …');
      await removeUnused(folder, template);
      return made(workshop, { folder, kind, say });
    },
  );
  const now = new Date();
  await utimes(template, now, now);
  await cp(found, join(dataDir, 'postgres'), { recursive: true });
}

async function made(workshop: string, { folder, kind, say }: TemplateOptions): Promise<string> {
  if (kind === 'migrated') await layDatabase(workshop, { folder, kind: 'empty', say: () => undefined });
  const { url, child } = await startPglite({ dataDir: workshop, say });
  // It is renamed only after a checkpoint and stop, so a template is always complete.
  await (kind === 'migrated' ? migrate(url) : Promise.resolve()).finally(() => child.stop(GRACE_MS));
  return join(workshop, 'postgres');
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const { resolve } = createRequire(import.meta.url);
  const packages = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'].map((name) =>
    join(dirname(resolve(name)), '../package.json'),
  );
  const names = await readdir(MIGRATIONS, { recursive: true });
  const migrations = names.filter((name) => name.endsWith('.sql')).sort();
  const own = [
    join(PROJECT_ROOT, 'dist/embedded/pgliteServer.js'),
    ...migrations.map((name) => join(MIGRATIONS, name)),
  ];
  for (const path of [...packages, ...own]) hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

async function removeUnused(folder: string, template: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (other === template) continue;
    const { mtimeMs } = await stat(other);
    if (mtimeMs < Date.now() - KEPT_MS) await rm(other, { recursive: true, force: true });
  }
}
