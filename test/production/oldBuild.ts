import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MIGRATIONS, ownMigrations } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const run = promisify(execFile);

export interface OldBuild {
  commit: string;
  dist: string;
  /** It has versions of workers. */
  namesBuilds: boolean;
  remove(): void;
}

const git = async (...args: string[]) =>
  (await run('git', args, { cwd: PROJECT_ROOT, maxBuffer: 10_000_000 })).stdout.trim();

async function commitBefore(): Promise<string> {
  if (process.env.UPGRADE_FROM) return git('rev-parse', `${process.env.UPGRADE_FROM}^{commit}`);
  const head = await git('rev-parse', 'HEAD');
  const landed = await git('rev-parse', 'origin/main').catch(() => head);
  return landed === head ? git('rev-parse', 'HEAD~1') : landed;
}

/**
 * Builds UPGRADE_FROM, or the latest commit before. Returns the reason if that is impossible: no git, or a changed
 * migration.
 */
export async function buildBefore(): Promise<OldBuild | string> {
  if (!existsSync(join(PROJECT_ROOT, '.git'))) return 'this folder is no clone';
  const commit = await commitBefore().catch((error: Error) => error);
  if (commit instanceof Error) return `there is no commit to upgrade from: ${commit.message}`;
  const root = mkdtempSync(join(tmpdir(), 'perdure-before-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, root], { cwd: PROJECT_ROOT });
    const level = JSON.stringify(await ownMigrations(join(root, 'prisma/migrations')));
    if (level !== JSON.stringify(await ownMigrations(MIGRATIONS))) {
      remove();
      return `${commit.slice(0, 8)} has other migrations: before the first release they are changed in place`;
    }
    const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
    if (lock(root) === lock(PROJECT_ROOT)) symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
    // Unchanged parts are not built again.
    mkdirSync(join(root, 'dist'));
    cpSync(join(PROJECT_ROOT, 'dist'), join(root, 'dist'), { recursive: true });
    await run(process.execPath, ['prepare.mjs'], { cwd: root, maxBuffer: 10_000_000 });
    const namesBuilds = existsSync(join(root, 'engine/temporal/workerBuilds.ts'));
    return { commit, dist: join(root, 'dist'), namesBuilds, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
