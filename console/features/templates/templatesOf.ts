import { parse } from 'yaml';
import { FOLDERS } from '../../../domain/bundle/folders.ts';
import { slugReference } from '../../../domain/bundle/slugReference.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';

/** A resource of an example, as in its file. */
export interface Resource {
  slug: string;
  fields: JsonObject;
}

export interface Template {
  /** The folder of the example. */
  name: string;
  title: string;
  description: string;
  /** The example's first workflow, by slug. */
  workflow: Resource;
  queues: Resource[];
  objectTypes: Resource[];
  /** Those that the workflow names and that name nothing themselves. */
  agents: Resource[];
  /** A value of the trigger. */
  sample: JsonObject;
}

type Files = Readonly<Record<string, string>>;

/** `files`: the texts of the examples by path, `…/<example>/<folder>/<slug>.yaml`. Examples without a workflow are left out. */
export function templatesOf(files: Files): Template[] {
  const examples = new Map<string, Map<string, string>>();
  for (const [path, text] of Object.entries(files)) {
    const [, name, file] = /examples\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (name === undefined || file === undefined) continue;
    examples.set(name, (examples.get(name) ?? new Map()).set(file, text));
  }
  return [...examples]
    .flatMap(([name, own]) => templateOf(name, own) ?? [])
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
}

function templateOf(name: string, files: ReadonlyMap<string, string>): Template | undefined {
  const [workflow] = resourcesOf(files, FOLDERS.workflow);
  if (workflow === undefined) return undefined;
  const title = /^# (.+)$/m.exec(files.get('README.md') ?? '')?.[1] ?? name;
  return {
    name,
    title,
    description: String(workflow.fields.description ?? ''),
    workflow,
    queues: resourcesOf(files, FOLDERS.queue),
    objectTypes: resourcesOf(files, FOLDERS.objectType),
    agents: resourcesOf(files, FOLDERS.agent).filter(
      ({ slug, fields }) =>
        referencesIn(workflow.fields).includes(`@agent/${slug}`) && referencesIn(fields).length === 0,
    ),
    sample: sampleOf(files, workflow.slug),
  };
}

function resourcesOf(files: ReadonlyMap<string, string>, folder: string): Resource[] {
  return [...files]
    .flatMap(([file, text]) => {
      const slug = new RegExp(`^${folder}/(.+)\\.yaml$`).exec(file)?.[1];
      return slug === undefined ? [] : [{ slug, fields: objectIn(text) }];
    })
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

function referencesIn(value: Json): string[] {
  if (typeof value === 'string') return slugReference(value) === undefined ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

/** Returns the input of the test case that visits the most steps. */
function sampleOf(files: ReadonlyMap<string, string>, slug: string): JsonObject {
  const tests = resourcesOf(files, 'tests').filter(({ fields }) => fields.workflow === slug);
  const cases = tests.flatMap(({ fields }) => (Array.isArray(fields.cases) ? fields.cases.filter(isJsonObject) : []));
  const [longest] = cases.toSorted((a, b) => stepsOf(b) - stepsOf(a));
  return isJsonObject(longest?.input) ? longest.input : {};
}

function stepsOf({ expect }: JsonObject): number {
  return isJsonObject(expect) && Array.isArray(expect.path) ? expect.path.length : 0;
}

function objectIn(text: string): JsonObject {
  const value: unknown = parse(text);
  if (!isJsonObject(value)) throw new Error('A file of an example is not an object');
  return value;
}
