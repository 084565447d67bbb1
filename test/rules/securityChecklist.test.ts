import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const page = readFileSync(join(PROJECT_ROOT, 'docs/security.md'), 'utf8');
const points = page.split('\n').filter((line) => /^\| \d/.test(line));

test('every point of the checklist has its state, and a proof or a reason', () => {
  expect(points.length).toBeGreaterThan(35);
  for (const point of points) expect(point).toMatch(/\| (Met|Open|Elsewhere)\b/);
  for (const point of points.filter((line) => !line.includes('| Met'))) expect(point).toMatch(/\| (Open|Elsewhere): ./);
});

test('the files that it names are there', () => {
  const files = [...page.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => !existsSync(join(PROJECT_ROOT, file)))).toEqual([]);
});
