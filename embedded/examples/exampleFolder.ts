import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BundleResource } from '../../domain/bundle/bundle.ts';
import { FOLDERS, VARIABLES_FILE } from '../../domain/bundle/folders.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

export const EXAMPLES_FOLDER = join(PROJECT_ROOT, 'examples');

/** The resources of `examples/<name>/`, which ships with the product, as a bundle has them. */
export async function readExample(name: string): Promise<BundleResource[]> {
  const folder = join(EXAMPLES_FOLDER, name);
  const resources: object[] = [];
  for (const [kind, place] of Object.entries(FOLDERS)) {
    const files = existsSync(join(folder, place)) ? await readdir(join(folder, place)) : [];
    for (const file of files.sort()) {
      const fields = (await readExampleFile(name, join(place, file))) as object;
      resources.push({ kind, slug: basename(file, '.yaml'), ...fields });
    }
  }
  const variables = existsSync(join(folder, VARIABLES_FILE)) ? await readExampleFile(name, VARIABLES_FILE) : [];
  return [...resources, ...(variables as object[]).map((each) => ({ kind: 'variable', ...each }))] as BundleResource[];
}

/** A file of an example, as a value. */
export async function readExampleFile(name: string, file: string): Promise<unknown> {
  const { parse } = await import('yaml');
  return parse(await readFile(join(EXAMPLES_FOLDER, name, file), 'utf8'));
}
