import { existsSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject, mapTexts } from '../domain/json.ts';
import { pathTo } from '../domain/place.ts';
import { type FileResource, ProjectFileProblem, readProjectFiles } from '../embedded/projectFiles.ts';
import { filledText, unfilledText } from './environmentText.ts';
import { EnvironmentValues } from './environmentValues.ts';
import { Ended, EXIT, Usage } from './exitCode.ts';
import { type FileProblem, fileProblemText } from './fileProblems.ts';
import { type FolderSettings, isReserved, readSettings, SETTINGS_FILE } from './folderSettings.ts';

export type Resource = FileResource;

/** A folder as `pull` writes it, with `${env:NAME}` filled in. */
export interface Folder {
  resources: Resource[];
  /** The file of each resource. The server names a resource by its index in this list. */
  files: string[];
  settings: FolderSettings;
  filled: EnvironmentValues;
  /** Problems of `perdure.yaml`, and names that it does not list. */
  problems: FileProblem[];
  /** Places of names that are not set; their texts contain the name instead. */
  unset: FileProblem[];
}

/** Exits with 4 if a file is not valid. */
export async function readFolder(folder: string, environment: NodeJS.ProcessEnv = process.env): Promise<Folder> {
  const [stored, settings] = [await readStored(folder), await reported(readSettings(folder))];
  const files = [...stored].flatMap(([file, each]) => each.map(() => file));
  const read: Folder = { resources: [], files, settings, filled: new EnvironmentValues(), problems: [], unset: [] };
  read.problems.push(...settings.problems);
  for (const [file, resources] of stored) {
    for (const [index, { kind, slug, ...fields }] of resources.entries()) {
      const path = kind === 'variable' ? pathTo('', index) : '';
      const fill = (text: string, at: string) => filledIn(text, { file, path: at }, environment, read);
      read.resources.push({ ...(mapPlaces(fields as JsonObject, path, fill) as JsonObject), kind, slug });
    }
  }
  return read;
}

/** Like readFolder, but also exits with 4 if a name is not listed or not set. */
export async function readFilledFolder(folder: string): Promise<Folder> {
  const read = await readFolder(folder);
  const problems = [...read.problems, ...read.unset];
  if (problems.length > 0) throw new Ended(EXIT.blocked, problems.map(fileProblemText).join('\n'));
  return read;
}

function filledIn(
  text: string,
  place: Pick<FileProblem, 'file' | 'path'>,
  environment: NodeJS.ProcessEnv,
  { settings, filled, problems, unset }: Folder,
): string {
  const values: string[] = [];
  const fill = (name: string): string => {
    const refused = refusal(name, settings);
    const value = environment[name];
    if (refused !== undefined) problems.push({ ...place, message: refused });
    else if (value === undefined) unset.push({ ...place, message: `${name} is not set in the environment` });
    else {
      values.push(value);
      return value;
    }
    return `env:${name}`;
  };
  const result = filledText(text, fill);
  if (values.length > 0)
    filled.add(
      result,
      filledText(text, () => '***'),
      values,
    );
  return result;
}

function refusal(name: string, { environment }: FolderSettings): string | undefined {
  if (isReserved(name)) return `\${env:${name}} is refused: names that begin with PERDURE_ are never filled in`;
  if (environment.has(name)) return undefined;
  return `\${env:${name}} is not listed: add ${name} to environment in ${SETTINGS_FILE}, or write $\${ for the text itself`;
}

function mapPlaces(value: Json, path: string, replace: (text: string, path: string) => string): Json {
  if (typeof value === 'string') return replace(value, path);
  if (Array.isArray(value)) return value.map((each, index) => mapPlaces(each, pathTo(path, index), replace));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, each]) => [key, mapPlaces(each, pathTo(path, key), replace)]);
  return Object.fromEntries(members) as JsonObject;
}

/** Reads the resources of a folder without values of the environment. Exits with 4 if a file is not valid. */
export async function readResources(folder: string): Promise<Resource[]> {
  return [...(await readStored(folder)).values()].flat().map((each) => mapTexts(each, unfilledText));
}

/** Throws a Usage for a folder without project files: a mistyped name must not mean an empty project. */
export function requireFiles(folder: string, resources: readonly Resource[]): void {
  if (resources.length > 0) return;
  const what = existsSync(folder) ? `${folder} contains no project files` : `There is no ${folder}`;
  throw new Usage(`${what}: expected workflows/<slug>.yaml, …`);
}

export function readStored(folder: string): Promise<Map<string, Resource[]>> {
  return reported(readProjectFiles(folder));
}

async function reported<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof ProjectFileProblem ? new Ended(EXIT.blocked, error.message) : error;
  }
}
