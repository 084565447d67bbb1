import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { ENDED } from './endedStatus.ts';

const LISTS = /\((?:'[A-Z_]+'(?:, )?)*'COMPLETED'(?:, )?(?:'[A-Z_]+'(?:, )?)*\)/g;

function texts(folders: string[], ending: string): [path: string, text: string][] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(PROJECT_ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith(ending))
    .map((path) => [path, readFileSync(join(PROJECT_ROOT, path), 'utf8')]);
}

test('the migrations mean the same ends of executions as the code', () => {
  const lists = texts(['prisma/migrations'], '.sql').flatMap(([, text]) => text.match(LISTS) ?? []);
  const ends = lists.filter((list) => list.includes("'TIMED_OUT'"));
  expect(ends.length).toBeGreaterThan(0);
  expect(new Set(ends)).toEqual(new Set([ENDED.sql]));
});

test('no statement of the code writes them out', () => {
  const sources = texts(['prisma/store', 'cases', 'engine', 'bench'], '.ts');
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(([path, text]) => (text.includes(ENDED.sql) ? [path] : []))).toEqual([]);
});
