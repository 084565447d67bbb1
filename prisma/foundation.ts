import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT_ROOT } from '../projectRoot.ts';

export const SOURCES = join(PROJECT_ROOT, 'prisma/sql');
export const FOUNDATION = join(PROJECT_ROOT, 'prisma/migrations/20261121000000_foundation/migration.sql');

const HEADER = '-- Generated from prisma/sql by `npm run migration`: change the files there.\n';

export function sourceFiles(): string[] {
  return readdirSync(SOURCES)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

export function foundation(): string {
  const parts = sourceFiles().map((name) => `\n-- ${name}\n${readFileSync(join(SOURCES, name), 'utf8')}`);
  return HEADER + parts.join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FOUNDATION, foundation());
