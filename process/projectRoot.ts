import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
