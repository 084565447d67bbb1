import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FOLDERS, VARIABLES_FILE, YAML_STYLE } from '../domain/bundle/folders.ts';
import { isJsonObject, mapTexts } from '../domain/json.ts';
import { type FileResource, ProjectFileProblem, readProjectFiles } from '../embedded/projectFiles.ts';
import { Ended, EXIT, Usage } from './exitCode.ts';

export type Resource = FileResource;

function pathOf({ kind, slug }: Resource): string {
  const folder = (FOLDERS as Record<string, string>)[kind];
  if (folder === undefined) throw new Error(`The server knows a kind of resource that this command does not: ${kind}`);
  return join(folder, `${slug}.yaml`);
}

/** Reads a folder as `pull` writes it, with `${env:NAME}` filled in. Ends with 4 where a file is wrong or a name is unset. */
export async function readFolder(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ resources: Resource[]; files: string[] }> {
  const stored = await readStored(folder);
  const unset = new Set<string>();
  const resources = [...stored.values()].flat().map((each) => filled(each, environment, unset));
  if (unset.size > 0) throw new Ended(EXIT.blocked, `Not set in the environment: ${[...unset].sort().join(', ')}`);
  // In the order in which the server answers problems: by place in this list.
  const files = [...stored].flatMap(([file, each]) => each.map(() => file));
  return { resources, files };
}

/** The resources of a folder as they stand in its files. Ends with 4 where a file is wrong. */
export async function readResources(folder: string): Promise<Resource[]> {
  return [...(await readStored(folder)).values()].flat();
}

/** Throws a Usage where a folder has no file of a project: whoever mistyped its name must not have an empty project. */
export function requireFiles(folder: string, resources: readonly Resource[]): void {
  if (resources.length > 0) return;
  const what = existsSync(folder) ? `${folder} has no file of a project` : `There is no ${folder}`;
  throw new Usage(`${what}: expected workflows/<slug>.yaml, …`);
}

/** The resources of each file, as they stand there. */
async function readStored(folder: string): Promise<Map<string, Resource[]>> {
  try {
    return await readProjectFiles(folder);
  } catch (error) {
    throw error instanceof ProjectFileProblem ? new Ended(EXIT.blocked, error.message) : error;
  }
}

/** Writes what the project has. A file that says the same stays as it is, with its comments. Answers the changed paths. */
export async function writeFolder(
  folder: string,
  resources: Resource[],
): Promise<{ written: string[]; removed: string[] }> {
  const { stringify } = await import('yaml');
  const before = await readStored(folder).catch((error: unknown) => {
    if (error instanceof Ended)
      throw new Ended(error.exitCode, `${error.message}. Mend it or remove it, then pull again.`);
    throw error;
  });
  const wanted = new Map<string, Resource[]>();
  const variables = resources.filter(({ kind }) => kind === 'variable');
  for (const each of resources) if (each.kind !== 'variable') wanted.set(pathOf(each), [each]);
  if (variables.length > 0) wanted.set(VARIABLES_FILE, variables);

  const written: string[] = [];
  for (const [path, content] of wanted) {
    if (isSame(before.get(path), content)) continue;
    const bare = content.map(({ kind: _, ...fields }) => fields);
    const document = path === VARIABLES_FILE ? bare : withoutSlug(bare[0] as Omit<Resource, 'kind'>);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), stringify(document, YAML_STYLE));
    written.push(path);
  }
  const removed = [...before.keys()].filter((path) => !wanted.has(path));
  for (const path of removed) await rm(join(folder, path));
  return { written, removed };
}

function withoutSlug({ slug: _, ...fields }: Record<string, unknown>): object {
  return fields;
}

/** A value by `${env:NAME}` stands for the secret that the server answers masked. */
function isSame(stored: unknown, wanted: unknown): boolean {
  if (typeof stored === 'string' && ENVIRONMENT.test(stored)) return typeof wanted === 'string' && /^\*+$/.test(wanted);
  if (Array.isArray(stored) && Array.isArray(wanted)) {
    return stored.length === wanted.length && stored.every((each, index) => isSame(each, wanted[index]));
  }
  if (isJsonObject(stored) && isJsonObject(wanted)) {
    const names = new Set([...Object.keys(stored), ...Object.keys(wanted)]);
    return [...names].every((name) => isSame(stored[name], wanted[name]));
  }
  return isDeepStrictEqual(stored, wanted);
}

const ENVIRONMENT = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/;

function filled(resource: Resource, environment: NodeJS.ProcessEnv, unset: Set<string>): Resource {
  const every = new RegExp(ENVIRONMENT, 'g');
  return mapTexts(resource, (text) =>
    text.replace(every, (_, name: string) => {
      const variable = environment[name];
      if (variable === undefined) unset.add(name);
      return variable ?? '';
    }),
  );
}
