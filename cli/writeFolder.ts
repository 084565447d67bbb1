import { constants } from 'node:fs';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BundleResource } from '../domain/bundle/bundle.ts';
import { FOLDERS, VARIABLES_FILE, YAML_STYLE } from '../domain/bundle/folders.ts';
import { isEqualJson } from '../domain/isEqualJson.ts';
import { type Json, type JsonObject, mapTexts } from '../domain/json.ts';
import { escapedText, filledText, namesIn } from './environmentText.ts';
import { Ended, EXIT } from './exitCode.ts';
import { type Compared, type FileEdit, fileEdits, type Stays } from './fileEdits.ts';
import type { FolderSettings } from './folderSettings.ts';
import { type Folder, type Resource, readFolder } from './projectFolder.ts';

/** The contract's pattern of slugs: nothing else becomes a file name. */
const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MASK = '********';

export interface Written {
  written: string[];
  removed: string[];
  /** Places whose `${env:NAME}` could not be compared, because NAME is not set. */
  uncompared: string[];
}

/** Files with the same meaning stay. Exits with 4 before writing outside of the folder or through a link. */
export async function writeFolder(
  folder: string,
  resources: Resource[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Written> {
  const before = await readFolder(folder, environment).catch((error: unknown) => {
    if (error instanceof Ended) throw new Ended(error.exitCode, `${error.message}. Fix or remove it, then pull again.`);
    throw error;
  });
  const wanted = filesOf(resources, before);
  const removed = [...new Set(before.files)].filter((path) => !wanted.has(path));
  for (const path of [...wanted.keys(), ...removed]) await requireInside(folder, path);

  const texts = new Map<string, string>();
  const uncompared: string[] = [];
  for (const [path, content] of wanted) {
    const present = before.resources.filter((_, index) => before.files[index] === path);
    const isPresent = before.files.includes(path);
    const text = isPresent
      ? await changedText(folder, path, { present, content, environment, settings: before.settings, uncompared })
      : await freshText(path, content);
    if (text !== undefined) texts.set(path, text);
  }
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    await writeFile(join(folder, path), text, { flag });
  }
  for (const path of removed) await rm(join(folder, path));
  return { written: [...texts.keys()], removed, uncompared };
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
  environment: NodeJS.ProcessEnv;
  settings: FolderSettings;
  uncompared: string[];
}

async function changedText(folder: string, path: string, change: Change): Promise<string | undefined> {
  const { present, content, environment, settings, uncompared } = change;
  const text = await readFile(join(folder, path), 'utf8');
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const fill = (name: string) => (settings.environment.has(name) ? environment[name] : undefined);
  const stays: Stays = (at, server) => {
    const written = document.getIn(at);
    if (typeof written !== 'string' || typeof server !== 'string') return false;
    if (server === MASK && written !== '') return true;
    if (namesIn(written).every((name) => fill(name) !== undefined) || !isFilledBy(written, server, fill)) return false;
    uncompared.push(`${path}: ${at.join('.')}`);
    return true;
  };
  const compared = {
    ...{ file: valueIn(path, present), fileMeans: await meaningOf(path, present, present) },
    ...{ server: valueIn(path, content), serverMeans: await meaningOf(path, content, present) },
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

/** Whether values for the unset names would turn the file's text into the server's. */
function isFilledBy(written: string, server: string, fill: (name: string) => string | undefined): boolean {
  const [first = '', ...rest] = filledText(written, (name) => fill(name) ?? OPEN).split(OPEN);
  const last = rest.pop() ?? '';
  if (!server.startsWith(first) || !server.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = server.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= server.length - last.length;
}

/** A character that no YAML text can contain. */
const OPEN = '\u0000';

/** Adds all defaults; a knowledge base without a model keeps its current one. */
async function meaningOf(path: string, resources: readonly Resource[], present: readonly Resource[]): Promise<Json> {
  const { offlineFields } = await import('../api/operations/bundles/offlineFields.ts');
  const all: Json[] = [];
  for (const each of resources) {
    const fields = await offlineFields(each as BundleResource);
    const kept = each.kind === 'knowledge' ? EMBEDDING.filter((key) => present[0]?.[key] === undefined) : [];
    const meant = Object.fromEntries(Object.entries(fields).filter(([key]) => !kept.includes(key)));
    all.push(path === VARIABLES_FILE ? { slug: each.slug, ...meant } : meant);
  }
  return path === VARIABLES_FILE ? all : (all[0] as Json);
}

const EMBEDDING = ['embeddingProvider', 'embeddingModel', 'dimensions'];
