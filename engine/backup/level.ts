import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MigrationLevel, ownMigrations } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { BackupProblem } from './backupProblem.ts';

export const BUILD_VERSION = (
  JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

/** Throws a BackupProblem if these are not this build's migrations. `whose`: a subject, e.g. "The backup". */
export async function requireLevel(applied: readonly MigrationLevel[], whose: string, advice: string): Promise<void> {
  const own = await ownMigrations();
  const ofBuild = new Map(own.map(({ name, checksum }) => [name, checksum]));
  const names = new Set(applied.map(({ name }) => name));
  const wrong = [
    ...applied.filter(({ name }) => !ofBuild.has(name)).map(({ name }) => `${name}: this build does not know it`),
    ...applied
      .filter(({ name, checksum }) => ofBuild.has(name) && ofBuild.get(name) !== checksum)
      .map(({ name }) => `${name}: this build has another text of it`),
    ...own.filter(({ name }) => !names.has(name)).map(({ name }) => `${name}: missing`),
  ];
  if (wrong.length === 0) return;
  throw new BackupProblem(`${whose} has another migration level than this build (${advice}):\n  ${wrong.join('\n  ')}`);
}
