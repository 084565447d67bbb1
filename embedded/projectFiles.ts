import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDERS, VARIABLES_FILE } from '../domain/bundle/folders.ts';
import { isJsonObject, type Json } from '../domain/json.ts';
import { MAX_DEPTH } from '../domain/jsonDepth.ts';
import { isDeeplyNested } from '../domain/yamlDepth.ts';

export interface FileResource {
  kind: string;
  slug: string;
  [field: string]: unknown;
}

/** An invalid file of a project; the message begins with its path in the folder. */
export class ProjectFileProblem extends Error {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.name = 'ProjectFileProblem';
  }
}

/** Reads the resources in each file of a project's folder. Throws ProjectFileProblem. */
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

/** Returns the sorted names of the YAML files of a folder; empty if it is missing. */
export async function yamlNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(absent);
  return (names ?? []).filter((name) => /\.ya?ml$/.test(name)).sort();
}

/** Reads a file of the folder; undefined if it is missing. Throws ProjectFileProblem. */
export async function readYaml(folder: string, path: string): Promise<Json | undefined> {
  const text = await readFile(join(folder, path), 'utf8').catch(absent);
  if (text === undefined) return undefined;
  const { Lexer, parse } = await import('yaml');
  if (isDeeplyNested(new Lexer().lex(text), MAX_LEVELS)) {
    throw new ProjectFileProblem(path, `is nested too deeply, at most ${MAX_LEVELS} levels are allowed`);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new ProjectFileProblem(path, `is no YAML: ${(error as Error).message}`);
  }
}

/** A definition may have MAX_DEPTH levels, its file a few more. */
const MAX_LEVELS = 2 * MAX_DEPTH;

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
