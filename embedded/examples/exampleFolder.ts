import { join } from 'node:path';
import type { BundleResource } from '../../domain/bundle/bundle.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { readProjectFiles, readYaml } from '../projectFiles.ts';

export const EXAMPLES_FOLDER = join(PROJECT_ROOT, 'examples');

/** Reads the resources of `examples/<name>/`, which ships with the product, as a bundle. */
export async function readExample(name: string): Promise<BundleResource[]> {
  const files = await readProjectFiles(join(EXAMPLES_FOLDER, name));
  return [...files.values()].flat() as BundleResource[];
}

export function readExampleFile(name: string, file: string): Promise<unknown> {
  return readYaml(join(EXAMPLES_FOLDER, name), file);
}
