import { basename, resolve } from 'node:path';
import { isJsonObject, type Json } from '../domain/json.ts';
import { pathTo } from '../domain/place.ts';
import { readYaml } from '../embedded/projectFiles.ts';
import type { FileProblem } from './fileProblems.ts';

export const SETTINGS_FILE = 'perdure.yaml';

/** `perdure.yaml` of a folder. `pull` never writes it, so nothing in it comes from a server. */
export interface FolderSettings {
  environment: ReadonlySet<string>;
  /** The owner whose resources `--delete` may delete. */
  owner: string;
  problems: FileProblem[];
}

const MEMBERS = ['environment', 'owner'];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Credentials of the command line itself. Windows ignores the case of names. */
export function isReserved(name: string): boolean {
  return name.toUpperCase().startsWith('PERDURE_');
}

export async function readSettings(folder: string): Promise<FolderSettings> {
  const value = (await readYaml(folder, SETTINGS_FILE)) ?? {};
  const problems: FileProblem[] = [];
  const problem = (path: string, message: string) => {
    problems.push({ file: SETTINGS_FILE, path, message });
  };
  if (!isJsonObject(value)) problem('', 'expected an object');
  const members = isJsonObject(value) ? value : {};
  for (const key of Object.keys(members)) {
    if (!MEMBERS.includes(key)) problem(pathTo('', key), `is unknown, expected one of ${MEMBERS.join(', ')}`);
  }
  const { environment = [], owner = ownerOf(folder) } = members;
  if (typeof owner !== 'string' || !OWNER.test(owner)) {
    problem('owner', 'expected at most 64 letters, digits, _ and -, beginning with a letter or a digit');
  }
  return { environment: namesOf(environment, problem), owner: String(owner), problems };
}

function namesOf(environment: Json, problem: (path: string, message: string) => void): Set<string> {
  if (!Array.isArray(environment)) {
    problem('environment', 'expected a list of names');
    return new Set();
  }
  const names = new Set<string>();
  for (const [index, name] of environment.entries()) {
    const path = pathTo('environment', index);
    if (typeof name !== 'string' || !NAME.test(name)) problem(path, 'expected the name of an environment variable');
    else if (isReserved(name)) problem(path, `${name} cannot be filled in: PERDURE_ is reserved for the command line`);
    else names.add(name);
  }
  return names;
}

function ownerOf(folder: string): string {
  const name = basename(resolve(folder)).replace(/[^A-Za-z0-9_-]+/g, '-');
  return name.replace(/^[_-]+/, '').slice(0, 64) || 'root';
}
