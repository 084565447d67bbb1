import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isEqualJson } from '../domain/isEqualJson.ts';
import { type Json, mapTexts } from '../domain/json.ts';
import { escapedText } from './environmentText.ts';
import type { FileEdit } from './fileEdits.ts';
import { type Kept, staysIn } from './keptTexts.ts';
import { withSlugs } from './overlays.ts';
import { type Folder, type Resource, readFolder } from './projectFolder.ts';

interface Pulling {
  before: Folder;
  environment: NodeJS.ProcessEnv;
  context: string | undefined;
  kept: Kept;
}

export interface Pulled {
  /** The resources without the overlay: the content of the files. */
  resources: Resource[];
  /** The new text of the overlay, if a value of it differs. */
  edits: ReadonlyMap<string, string>;
}

/** Takes what a context replaces out of an export: changed values belong to its overlay, not to the files. */
export async function withoutOverlay(folder: string, exported: Resource[], pulling: Pulling): Promise<Pulled> {
  const { before, environment, context, kept } = pulling;
  const filled = context === undefined ? undefined : await readFolder(folder, { environment, context });
  const { overlay } = filled ?? {};
  if (filled === undefined || overlay === undefined) return { resources: exported, edits: new Map() };
  const text = await readFile(join(folder, overlay.file), 'utf8');
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const stays = staysIn(overlay.file, document, { environment, settings: before.settings, kept });
  const variables = byName(filled);
  const own = byName(before);
  const edits: FileEdit[] = [];
  const resources = exported.map((each): Resource => {
    if (each.kind !== 'variable' || !overlay.variables.has(each.slug)) return each;
    const [value, path] = [each.value as Json, ['variables', each.slug]];
    const isSame = isEqualJson(value, variables.get(each.slug) as Json);
    if (!isSame && !stays(path, value)) edits.push({ path, value: mapTexts(value, escapedText) });
    return { ...each, value: own.get(each.slug) };
  });
  const back = new Map([...overlay.connections].map(([slug, there]) => [there, slug]));
  const { editedYaml } = await import('./editYaml.ts');
  return {
    resources: await withSlugs(resources, back),
    edits: new Map(edits.length === 0 ? [] : [[overlay.file, editedYaml(text, edits)]]),
  };
}

function byName({ resources }: Folder): Map<string, unknown> {
  return new Map(resources.flatMap(({ kind, slug, value }) => (kind === 'variable' ? [[slug, value] as const] : [])));
}
