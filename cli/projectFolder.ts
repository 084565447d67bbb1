import { existsSync } from 'node:fs';
import { keyOf } from '../domain/bundle/bundle.ts';
import { isJsonObject, type Json, type JsonObject, mapTexts } from '../domain/json.ts';
import { inPath, pathTo } from '../domain/place.ts';
import { type FileResource, ProjectFileProblem, readProjectFiles } from '../embedded/projectFiles.ts';
import { EnvironmentFill, type Template } from './environmentFill.ts';
import { unfilledText } from './environmentText.ts';
import { Ended, EXIT, Usage } from './exitCode.ts';
import { type FileProblem, fileProblemText, type InFolder, placeInFolder } from './fileProblems.ts';
import { type FolderSettings, movedProblems, readSettings } from './folderSettings.ts';
import { withFunctionApps } from './functions/functionApps.ts';
import { type Overlay, readOverlays, unknownNames, withSlugs } from './overlays.ts';
import { withLines } from './problemLines.ts';

export type Resource = FileResource;

/** A folder as `pull` writes it, with `${env:NAME}` filled in, and with the overlay of a context. */
export interface Folder extends InFolder {
  resources: Resource[];
  /** The code of bundled functions, by its digest. */
  contents: ReadonlyMap<string, string>;
  settings: FolderSettings;
  overlay: Overlay | undefined;
  fill: EnvironmentFill;
  /** The texts with names of the environment. */
  templates: Template[];
  /** Problems of `perdure.yaml` and of the overlays, and names that are not listed. */
  problems: FileProblem[];
}

interface Reading {
  environment?: NodeJS.ProcessEnv;
  /** The context whose overlay is used. */
  context?: string | undefined;
}

/** Exits with 4 if a file is not valid. */
export async function readFolder(
  folder: string,
  { environment = process.env, context }: Reading = {},
): Promise<Folder> {
  const [files, settings] = [await readStored(folder), await reported(readSettings(folder))];
  const { stored, contents, problems: ofFunctions } = await withFunctionApps(folder, files);
  const written = [...stored.values()].flat();
  const overlays = await reported(readOverlays(folder));
  const overlay = context === undefined ? undefined : overlays.byContext.get(context);
  const [fill, templates] = [new EnvironmentFill(environment, settings.environment), [] as Template[]];
  const inFolder: InFolder = {
    files: [...stored].flatMap(([file, each]) => each.map(() => file)),
    overlaid: overlaidPlaces(written, overlay),
  };
  const resources = (await overlaid(written, overlay)).map(({ kind, slug, ...fields }, index): Resource => {
    const filled = mapPlaces(fields as JsonObject, '', (text, path) => {
      const place = { ...placeInFolder(index, path, inFolder), at: inPath(pathTo('resources', index), path), text };
      const found = fill.text(place);
      if (found.hasNames) templates.push(place);
      return found.text;
    });
    return { ...(filled as JsonObject), kind, slug };
  });
  const problems = [
    ...ofFunctions,
    ...settings.problems,
    ...movedProblems(settings, new Set(written.map(keyOf))),
    ...overlays.problems,
    ...(await unknownNames(overlays, written)),
    ...fill.problems,
  ];
  return { ...inFolder, resources, contents, settings, overlay, fill, templates, problems };
}

/** Like readFolder, but also exits with 4 if a name is not listed or not set. */
export async function readFilledFolder(folder: string, context?: string): Promise<Folder> {
  const read = await readFolder(folder, { context });
  const problems = [...read.problems, ...read.fill.unset];
  if (problems.length > 0) await endAt(folder, problems);
  return read;
}

/** Exits with 4 and the problems, at their lines. */
export async function endAt(folder: string | undefined, problems: readonly FileProblem[], before = ''): Promise<never> {
  const placed = folder === undefined ? problems : await withLines(folder, problems);
  throw new Ended(EXIT.blocked, before + placed.map(fileProblemText).join('\n'));
}

async function overlaid(written: readonly Resource[], overlay: Overlay | undefined): Promise<Resource[]> {
  if (overlay === undefined) return [...written];
  const resources = await withSlugs(written, overlay.connections);
  return resources.map((each) =>
    isOverlaid(each, overlay) ? { ...each, value: overlay.variables.get(each.slug) } : each,
  );
}

function overlaidPlaces(written: readonly Resource[], overlay: Overlay | undefined): InFolder['overlaid'] {
  if (overlay === undefined) return new Map();
  const { file } = overlay;
  return new Map(
    written.flatMap((each, index) =>
      isOverlaid(each, overlay) ? [[index, { file, path: pathTo('variables', each.slug) }] as const] : [],
    ),
  );
}

function isOverlaid({ kind, slug }: Resource, { variables }: Overlay): boolean {
  return kind === 'variable' && variables.has(slug);
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
