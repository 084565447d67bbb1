import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { UNKNOWN } from '../../api/operations/bundles/bundleResources.ts';
import { offlineProblems } from '../../api/operations/bundles/offlineProblems.ts';
import { offlineServices } from '../../api/operations/bundles/offlineServices.ts';
import { readDefinition } from '../../api/operations/workflows/readDefinition.ts';
import { readProjectFiles } from '../../embedded/projectFiles.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

// The checker raises no false alarm about workflows that run: neither an error nor a warning.

const EXAMPLES = join(PROJECT_ROOT, 'examples');
const RECIPES = join(PROJECT_ROOT, 'docs/recipes');
const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
const folders = foldersOf(EXAMPLES).flatMap((name) =>
  name === 'workers' ? foldersOf(join(EXAMPLES, name)).map((language) => `${name}/${language}`) : [name],
);
const recipes = readdirSync(RECIPES).filter((name) => name.endsWith('.json'));

test.each(folders)('the example %s has no problem', async (name) => {
  const files = await readProjectFiles(join(EXAMPLES, name));
  expect(await offlineProblems([...files.values()].flat())).toEqual([]);
});

test.each(recipes)('the recipe %s has no problem', async (name) => {
  // A recipe names its queue by a text that the reader replaces.
  const body = JSON.parse(readFileSync(join(RECIPES, name), 'utf8').replace('ID_OF_THE_QUEUE', UNKNOWN));
  expect((await readDefinition(body, offlineServices())).validation.problems).toEqual([]);
});
