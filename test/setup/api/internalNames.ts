import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { document } from './contract.ts';

const MIGRATIONS = join(PROJECT_ROOT, 'prisma/migrations');
const WORD = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

/** Tables, columns, functions and constraints that openapi.yaml does not contain. */
let names: ReadonlySet<string> | undefined;

function namesOfTheDatabase(): ReadonlySet<string> {
  const folders = readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const schema = folders.map(({ name }) => readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8')).join('\n');
  const known = new Set(JSON.stringify(document).match(WORD));
  return new Set((schema.match(WORD) ?? []).filter((word) => !known.has(word)));
}

/** Words of drivers, of the database, and of our own files. */
const INSIDE =
  /\b(prisma|postgres error|sqlstate|violates|syntax error at|node_modules)\b|\.(ts|js|mjs):\d|file:\/\/|^\s+at \S+ \(/im;

/** Throws if a problem contains a name of the database or of our files, unless the caller sent it. */
export function checkInternalNames(place: string, sent: string, problem: unknown): void {
  const { detail, errors } = (problem ?? {}) as { detail?: unknown; errors?: unknown };
  const texts = [detail, ...(Array.isArray(errors) ? errors.map(({ message }) => message) : [])];
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    names ??= namesOfTheDatabase();
    const word = text.match(WORD)?.find((each) => names?.has(each) && !sent.includes(each)) ?? INSIDE.exec(text)?.[0];
    if (word !== undefined && !sent.includes(word))
      throw new Error(`${place} names ${word}, which is internal: ${text}`);
  }
}
