import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`No package.json above ${import.meta.dirname}`);
    folder = above;
  }
  return folder;
}

/** The folder of package.json, for the sources and for dist/. It contains migrations, examples and dist/. */
export const PROJECT_ROOT = findRoot();

/**
 * Returns the compiled file next to the module at `url` (import.meta.url), because a thread or a process cannot start
 * from a source. Tests that run the sources use the last build.
 */
export function compiledBeside(url: string, file: string): string {
  const folder = dirname(fileURLToPath(url));
  return url.endsWith('.ts') ? join(PROJECT_ROOT, 'dist', relative(PROJECT_ROOT, folder), file) : join(folder, file);
}
