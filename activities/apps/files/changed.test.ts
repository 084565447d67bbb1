import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import { buildFilesChanged } from './changed.ts';

let place: string;
let root: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'perdure-files-'));
  root = join(place, 'root');
  await mkdir(join(root, 'in/deep'), { recursive: true });
  await writeFile(join(root, 'in/a.csv'), 'one');
  await writeFile(join(root, 'in/b.txt'), 'two');
  await writeFile(join(root, 'in/deep/c.csv'), 'three');
  await mkdir(join(place, 'root-beside'));
  await writeFile(join(place, 'root-beside/secret.csv'), 'secret');
  await symlink(join(place, 'root-beside'), join(root, 'link'));
  await symlink(join(place, 'root-beside/secret.csv'), join(root, 'in/linked.csv'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

async function look(inputs: JsonObject, filesRoot: string | undefined = root, maxItems = 100) {
  const { signal } = new AbortController();
  return buildFilesChanged({ filesRoot, maxItems })({
    inputs,
    cursor: null,
    workspaceId: 'w',
    startWith: 'new' as const,
    signal,
  });
}

async function paths(inputs: JsonObject): Promise<unknown[]> {
  const result = await look(inputs);
  return result.ok ? result.items.map(({ item }) => (item as JsonObject).path as string) : [result.failure.code];
}

test('files by folder, depth and ending; links are not followed', async () => {
  expect(await paths({ folder: 'in' })).toEqual(['in/a.csv', 'in/b.txt']);
  expect(await paths({ recursive: true, endsWith: '.csv' })).toEqual(['in/a.csv', 'in/deep/c.csv']);
  expect(await paths({ folder: '' })).toEqual([]);
});

test('another time or size is another key', async () => {
  const keys = async () => {
    const result = await look({ folder: 'in', endsWith: 'a.csv' });
    return result.ok ? result.items.map(({ key }) => key) : [];
  };
  const first = await keys();
  expect(await keys()).toEqual(first);
  await utimes(join(root, 'in/a.csv'), 1, 1);
  const second = await keys();
  await writeFile(join(root, 'in/a.csv'), 'longer');
  await utimes(join(root, 'in/a.csv'), 1, 1);
  expect(new Set([...first, ...second, ...(await keys())]).size).toBe(3);
});

test.each([
  '..',
  '../root-beside',
  'in/../../root-beside',
  '/etc',
  'link',
  'in/linked.csv',
  'nowhere',
  'in/a.csv',
  'a\0b',
])('no way out: %j', async (folder) => {
  expect(await look({ folder })).toMatchObject({ ok: false, failure: { code: 'FILES_NO_FOLDER' } });
});

test('without FILES_ROOT there is nothing to look into', async () => {
  const { signal } = new AbortController();
  const poller = buildFilesChanged({ filesRoot: undefined, maxItems: 1 });
  expect(await poller({ inputs: {}, cursor: null, workspaceId: 'w', startWith: 'new' as const, signal })).toMatchObject(
    { failure: { code: 'FILES_NOT_ENABLED' } },
  );
});
