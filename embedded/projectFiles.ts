import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDERS, VARIABLES_FILE } from '../domain/bundle/folders.ts';
import { isJsonObject, type Json } from '../domain/json.ts';

/** A resource of a bundle: its kind, its slug, and the fields of its upsert. */
export interface FileResource {
  kind: string;
  slug: string;
  [field: string]: unknown;
}

/** A file of a project is not as it must be; the message begins with its path in the folder. */
export class ProjectFileProblem extends Error {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.name = 'ProjectFileProblem';
  }
}

/** The resources of each file of a project's folder, as they stand there. Throws ProjectFileProblem. */
export async function readProjectFiles(folder: string): Promise<Map<string, FileResource[]>> {
  const files = new Map<string, FileResource[]>();
  for (const [kind, place] of Object.entries(FOLDERS)) {
    for (const name of await yamlNames(join(folder, place))) {
      const path = join(place, name);
      const fields = await readYaml(folder, path);
      if (!isJsonObject(fields)) throw new ProjectFileProblem(path, `must hold one ${kind} as an object`);
      files.set(path, [{ ...fields, kind, slug: name.replace(/\.ya?ml$/, '') }]);
    }
  }
  const variables = await readYaml(folder, VARIABLES_FILE);
  if (variables === undefined) return files;
  if (!Array.isArray(variables)) throw new ProjectFileProblem(VARIABLES_FILE, VARIABLES);
  return files.set(VARIABLES_FILE, variables.map(variableOf));
}

const VARIABLES = 'must be a list of variables, each with its slug';

function variableOf(variable: Json): FileResource {
  if (!isJsonObject(variable) || typeof variable.slug !== 'string')
    throw new ProjectFileProblem(VARIABLES_FILE, VARIABLES);
  return { ...variable, kind: 'variable', slug: variable.slug };
}

/** Names of the YAML files of a folder, sorted; none where it is absent. */
export async function yamlNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(absent);
  return (names ?? []).filter((name) => /\.ya?ml$/.test(name)).sort();
}

/** The value of a file of the folder; undefined where it is absent. Throws ProjectFileProblem. */
export async function readYaml(folder: string, path: string): Promise<Json | undefined> {
  const text = await readFile(join(folder, path), 'utf8').catch(absent);
  if (text === undefined) return undefined;
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    throw new ProjectFileProblem(path, `is no YAML: ${(error as Error).message}`);
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
