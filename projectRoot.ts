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

/** The folder of package.json, from the sources as well as from dist/: migrations, examples and dist/ stand there. */
export const PROJECT_ROOT = findRoot();

/**
 * The compiled file beside the module at `url` (import.meta.url): what a thread or a process begins with cannot be a source.
 * Tests that run the sources use the one built last.
 */
export function compiledBeside(url: string, file: string): string {
  const folder = dirname(fileURLToPath(url));
  return url.endsWith('.ts') ? join(PROJECT_ROOT, 'dist', relative(PROJECT_ROOT, folder), file) : join(folder, file);
}
