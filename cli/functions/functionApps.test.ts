import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { Resource } from '../projectFolder.ts';
import { withFunctionApps } from './functionApps.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-functions-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

const SHOP = `
  import { defineAction } from 'perdure-client/functions';
  import { double } from './lib/double.ts';
  import upper from 'upper';
  export const quote = defineAction({
    name: 'Quote',
    inputs: { fields: [{ key: 'price', type: 'number', required: true }, { key: 'name', type: 'text' }] },
    effect: 'read',
    run: ({ price, name }, call) => ({ total: double(price), name: upper(name ?? ''), key: call.idempotencyKey }),
  });
  export const helper = () => 1;`;
const FILES = {
  'functions/shop.ts': SHOP,
  'functions/lib/double.ts': 'export const double = (x: number): number => 2 * x;',
  'node_modules/upper/package.json': '{"name":"upper","version":"1.0.0","main":"index.js"}',
  'node_modules/upper/index.js': 'module.exports = (text) => text.toUpperCase();',
};

it('makes an app of a file: an action of each export, with packages, the same bytes in any folder', async () => {
  const one = await withFunctionApps(await folderOf(FILES), new Map());
  expect(one.problems).toEqual([]);
  const [bundle = ''] = one.contents.keys();
  const fields = [
    { key: 'price', type: 'number', required: true },
    { key: 'name', type: 'text' },
  ];
  expect(one.stored.get('functions/shop.ts')).toEqual([
    {
      ...{ kind: 'app', slug: 'shop', runs: { on: 'function', bundle } },
      actions: [{ actionId: 'quote', name: 'Quote', effect: 'read', inputConfig: { fields } }],
    },
  ]);
  const other = await withFunctionApps(await folderOf(FILES), new Map());
  expect([...other.contents.keys()]).toEqual([bundle]);
  const relativeOne = await withFunctionApps(relative(process.cwd(), await folderOf(FILES)), new Map());
  expect([...relativeOne.contents.keys()]).toEqual([bundle]);
});

it('apps/<slug>.yaml adds to the app; one without a file is a problem', async () => {
  const app = (slug: string): Resource => ({ kind: 'app', slug, name: 'The shop', runs: { on: 'function' } });
  const stored = new Map([
    ['apps/shop.yaml', [app('shop')]],
    ['apps/gone.yaml', [app('gone')]],
  ]);
  const made = await withFunctionApps(await folderOf(FILES), stored);
  expect([...made.stored.keys()]).toEqual(['apps/shop.yaml']);
  expect(made.stored.get('apps/shop.yaml')).toMatchObject([{ slug: 'shop', name: 'The shop', actions: [{}] }]);
  expect(made.problems).toEqual([
    { file: 'apps/gone.yaml', path: 'runs.on', message: 'there is no functions/gone.ts' },
  ]);
});

it.each([
  ['export const x = ;', 'functions/bad.ts', 'Unexpected ";"', 1, 18],
  ["import 'missing-package';", 'functions/bad.ts', 'Could not resolve "missing-package"', 1, 8],
  ['\n  throw new Error("no setting");', 'functions/bad.ts', 'no setting', 2, 9],
  ['export const x = 1;', 'functions/bad.ts', 'exports no action', undefined, undefined],
  ["import { readFileSync } from 'node:fs'; readFileSync('/etc/passwd');", 'functions/bad.ts', 'restricted', 1, 41],
])('reports %j at its place', async (source, file, message, line, column) => {
  const { problems } = await withFunctionApps(await folderOf({ 'functions/bad.ts': source }), new Map());
  expect(problems).toEqual([
    { file, path: '', message: expect.stringContaining(message), ...(line === undefined ? {} : { line, column }) },
  ]);
});

it('refuses a bundle of more than 5 MB', async () => {
  const source = `${SHOP}\nexport const large = ${JSON.stringify('x'.repeat(6_000_000))};`;
  const { problems } = await withFunctionApps(await folderOf({ ...FILES, 'functions/shop.ts': source }), new Map());
  expect(problems).toEqual([
    { file: 'functions/shop.ts', path: '', message: expect.stringMatching(/at most 5242880/) },
  ]);
});
