import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FOUNDATION, foundation, SOURCES, sourceFiles } from './foundation.ts';

const MAX_LINES = 400;

test('the foundation migration is made from prisma/sql (`npm run migration`)', () => {
  expect(readFileSync(FOUNDATION, 'utf8')).toBe(foundation());
});

test('a source of the migration has at most 400 lines, and a line in the index', () => {
  const index = readFileSync(join(SOURCES, 'README.md'), 'utf8');
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(10);
  const long = files.filter((name) => readFileSync(join(SOURCES, name), 'utf8').split('\n').length > MAX_LINES + 1);
  expect(long).toEqual([]);
  const indexed = [...index.matchAll(/^\| `(\S+\.sql)` \|/gm)].map(([, name]) => name);
  expect(indexed).toEqual(files);
});
