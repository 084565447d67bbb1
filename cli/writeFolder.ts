import { constants } from 'node:fs';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BundleResource } from '../domain/bundle/bundle.ts';
import { FOLDERS, VARIABLES_FILE, YAML_STYLE } from '../domain/bundle/folders.ts';
import { isEqualJson } from '../domain/isEqualJson.ts';
import { type Json, type JsonObject, mapTexts } from '../domain/json.ts';
import { escapedText } from './environmentText.ts';
import { Ended, EXIT } from './exitCode.ts';
import { type Compared, type FileEdit, fileEdits } from './fileEdits.ts';
import type { FolderSettings } from './folderSettings.ts';
import { isFunctionApp } from './functions/functionApps.ts';
import { type Kept, staysIn } from './keptTexts.ts';
import { type Folder, type Resource, readFolder } from './projectFolder.ts';
import { withoutOverlay } from './pullOverlay.ts';
import { inReadingOrder } from './readingOrder.ts';

/** The contract's pattern of slugs: nothing else becomes a file name. */
const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface Written {
  written: string[];
  removed: string[];
  /** Places whose `${env:NAME}` could not be compared, because NAME is not set. */
  uncompared: string[];
  /** Places whose `${env:NAME}` stays, although the server has another value. */
  different: string[];
}

interface Target {
  environment?: NodeJS.ProcessEnv;
  /** The context of the server, whose overlay takes its values. */
  context?: string | undefined;
}

/** Files with the same meaning stay. Exits with 4 before writing outside of the folder or through a link. */
export async function writeFolder(
  folder: string,
  exported: Resource[],
  { environment = process.env, context }: Target = {},
): Promise<Written> {
  const before = await readFolder(folder, { environment }).catch((error: unknown) => {
    if (error instanceof Ended) throw new Ended(error.exitCode, `${error.message}. Fix or remove it, then pull again.`);
    throw error;
  });
  const kept: Kept = { uncompared: [], different: [] };
  const sources = new Set(before.resources.flatMap((each) => (isBundledHere(each, before) ? [each.slug] : [])));
  const others = exported.filter(({ kind, slug }) => kind !== 'app' || !sources.has(slug));
  const { resources, edits } = await withoutOverlay(folder, others.map(ordered), {
    before,
    environment,
    context,
    kept,
  });
  const wanted = filesOf(resources, before);
  // The source of functions is the author's: nothing of their apps is written or removed.
  const ofSources = new Set(before.files.filter((_, index) => isBundledHere(before.resources[index], before)));
  const removed = [...new Set(before.files)].filter((path) => !wanted.has(path) && !ofSources.has(path));
  for (const path of [...wanted.keys(), ...edits.keys(), ...removed]) await requireInside(folder, path);

  const texts = new Map<string, string>(edits);
  for (const [path, content] of wanted) {
    const present = before.resources.filter((_, index) => before.files[index] === path);
    const isPresent = before.files.includes(path);
    const text = isPresent
      ? await changedText(folder, path, {
          present,
          content,
          all: resources,
          environment,
          settings: before.settings,
          kept,
        })
      : await freshText(path, content);
    if (text !== undefined) texts.set(path, text);
  }
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    await writeFile(join(folder, path), text, { flag });
  }
  for (const path of removed) await rm(join(folder, path));
  return { written: [...texts.keys()], removed, ...kept };
}

function isBundledHere(resource: Resource | undefined, { contents }: Folder): boolean {
  return (
    resource !== undefined && isFunctionApp(resource) && contents.has((resource.runs as { bundle: string }).bundle)
  );
}

function ordered({ kind, slug, ...fields }: Resource): Resource {
  return { ...{ kind, slug }, ...inReadingOrder(kind, fields as JsonObject) };
}

/** Returns the resources of each file. A resource stays in its current file, which may be `<slug>.yml`. */
function filesOf(resources: readonly Resource[], before: Folder): Map<string, Resource[]> {
  const present = new Map(before.resources.map(({ kind, slug }, index) => [`${kind} ${slug}`, before.files[index]]));
  const wanted = new Map<string, Resource[]>();
  const variables = resources.filter(({ kind }) => kind === 'variable');
  for (const each of resources) {
    if (each.kind !== 'variable') wanted.set(present.get(`${each.kind} ${each.slug}`) ?? pathOf(each), [each]);
  }
  if (variables.length > 0) wanted.set(VARIABLES_FILE, variables);
  return wanted;
}

function pathOf({ kind, slug }: Resource): string {
  if (!Object.hasOwn(FOLDERS, kind)) {
    throw new Ended(
      EXIT.blocked,
      `The server has a kind of resource that this command does not know: ${JSON.stringify(kind)}`,
    );
  }
  if (typeof slug !== 'string' || !SLUG.test(slug)) {
    throw new Ended(
      EXIT.blocked,
      `Nothing was written: the server's ${kind} ${JSON.stringify(slug)} has no valid slug`,
    );
  }
  return join(FOLDERS[kind as keyof typeof FOLDERS], `${slug}.yaml`);
}

/** Refuses symbolic links in a path, which is a name, or a folder of a kind and a name. */
async function requireInside(folder: string, path: string): Promise<void> {
  for (const part of new Set([dirname(path), path])) {
    if (part === '.') continue;
    const found = await lstat(join(folder, part)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (found?.isSymbolicLink() === true) {
      throw new Ended(EXIT.blocked, `Nothing was written: ${part} is a symbolic link, which pull does not follow`);
    }
  }
}

/** For variables a list, otherwise the fields without the slug, which is the file's name. */
function valueIn(path: string, resources: readonly Resource[]): Json {
  if (path === VARIABLES_FILE) return resources.map(({ kind: _, ...fields }) => fields) as unknown as Json;
  const [{ kind: _, slug: __, ...fields }] = resources as [Resource];
  return fields as JsonObject;
}

async function freshText(path: string, content: readonly Resource[]): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(mapTexts(valueIn(path, content), escapedText), YAML_STYLE);
}

interface Change {
  present: Resource[];
  content: Resource[];
  /** All resources of the server: workflows name the apps among them. */
  all: readonly Resource[];
  environment: NodeJS.ProcessEnv;
  settings: FolderSettings;
  kept: Kept;
}

async function changedText(folder: string, path: string, change: Change): Promise<string | undefined> {
  const { present, content, all, environment, settings, kept } = change;
  const text = await readFile(join(folder, path), 'utf8');
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const stays = staysIn(path, document, { environment, settings, kept });
  const compared = {
    ...{ file: valueIn(path, present), fileMeans: await meaningOf(path, present, { present, all }) },
    ...{ server: valueIn(path, content), serverMeans: await meaningOf(path, content, { present, all }) },
  };
  const edits = fileEdits(withSteps(compared), stays);
  if (edits.length === 0) return undefined;
  const { editedYaml } = await import('./editYaml.ts');
  return editedYaml(text, edits.map(escaped));
}

function escaped(edit: FileEdit): FileEdit {
  const { path, ...change } = edit;
  return { path, ...mapTexts(change, escapedText) } as FileEdit;
}

/** Keeps the short form of a linear workflow while its meaning is unchanged; otherwise writes nodes and edges. */
function withSteps({ file, fileMeans, ...ofServer }: Compared): Compared {
  const means = fileMeans as JsonObject;
  const server = ofServer.serverMeans as JsonObject;
  if ((file as JsonObject).steps === undefined) return { file, fileMeans, ...ofServer };
  if (['nodes', 'edges'].every((key) => isEqualJson(means[key], server[key]))) return { file, fileMeans, ...ofServer };
  const { nodes: _, edges: __, ...head } = means;
  return { file, fileMeans: { ...head, steps: null }, ...ofServer };
}

/** Adds all defaults; a knowledge base without a model keeps its current one. */
async function meaningOf(
  path: string,
  resources: readonly Resource[],
  { present, all }: Pick<Change, 'present' | 'all'>,
): Promise<Json> {
  const { offlineFields } = await import('../api/operations/bundles/offlineFields.ts');
  const meanings: Json[] = [];
  for (const each of resources) {
    const fields = await offlineFields(each as BundleResource, all as readonly BundleResource[]);
    const kept = each.kind === 'knowledge' ? EMBEDDING.filter((key) => present[0]?.[key] === undefined) : [];
    const meant = Object.fromEntries(Object.entries(fields).filter(([key]) => !kept.includes(key)));
    meanings.push(path === VARIABLES_FILE ? { slug: each.slug, ...meant } : meant);
  }
  return path === VARIABLES_FILE ? meanings : (meanings[0] as Json);
}

const EMBEDDING = ['embeddingProvider', 'embeddingModel', 'dimensions'];
