import { join } from 'node:path';
import { layDatabase as layFrom, type TemplateKind } from '../../../embedded/databaseTemplate.ts';
import { PROJECT_ROOT } from '../../../projectRoot.ts';

const folder = join(PROJECT_ROOT, 'node_modules/.cache/perdure-database');

/** Copies a PGlite database into an empty folder: creating a cluster costs more than most tests. */
export function layDatabase(dataDir: string, kind: TemplateKind): Promise<void> {
  return layFrom(dataDir, { folder, kind, say: () => undefined });
}
