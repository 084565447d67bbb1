import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { TAGS, tagsIn } from '../runner/tags.mjs';
import { testFiles } from '../runner/testFiles.mjs';

test('the first line of a test file names its tags', () => {
  expect(tagsIn('// test: long, pglite\nimport')).toEqual(['long', 'pglite']);
  expect(tagsIn('import\n// test: long')).toEqual([]);
  expect(() => tagsIn('// test: slow\n')).toThrow('Unknown tag slow: long, pglite');
});

test('each test file has known tags only, once, in its first line', () => {
  const files = testFiles(PROJECT_ROOT).map((file) => ({ file, text: readFileSync(join(PROJECT_ROOT, file), 'utf8') }));
  const used = files.flatMap(({ text }) => tagsIn(text));
  expect([...new Set(used)].sort()).toEqual(Object.keys(TAGS).sort());
  const misplaced = files.filter(({ text }) => /\n\/\/ ?(test|tags?):/i.test(text) || text.startsWith('// test:\n'));
  expect(misplaced.map(({ file }) => file)).toEqual([]);
  const unordered = files.filter(({ text }) => `${tagsIn(text)}` !== `${[...new Set(tagsIn(text))].sort()}`);
  expect(unordered.map(({ file }) => file)).toEqual([]);
});
