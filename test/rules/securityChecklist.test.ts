import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const page = readFileSync(join(PROJECT_ROOT, 'docs/security.md'), 'utf8');
const points = page.split('\n').filter((line) => /^\| \d/.test(line));

/**
 * Points of ASVS 5.0.0 of level 1 or 2 by section, repeated independently of the page. They come first, in sequence.
 */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
  ...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1, '12.1': 3, '12.2': 2, '12.3': 4 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5, '14.1': 2, '14.2': 4, '14.3': 3, '15.1': 3, '15.2': 3, '15.3': 7 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3, '17.1': 1, '17.2': 4, '17.3': 2 },
};

test('contains exactly the points of level 1 and 2', () => {
  const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  expect(expected).toHaveLength(253);
  // A row may combine points with the same level and state.
  expect(points.flatMap((point) => point.split('|')[1]?.trim().split(', '))).toEqual(expected);
  for (const chapter of Array.from({ length: 17 }, (_, index) => index + 1)) expect(page).toContain(`| **V${chapter} `);
});

test('every point has its level, its state, and a reason if it is not met', () => {
  for (const point of points)
    expect(point).toMatch(/^\| [\d., ]+ \| [12] \| [^|]+ \| (Met|Partly|Not applicable|Not)\b[^|]*\|$/);
  for (const point of points.filter((line) => !line.includes('| Met'))) {
    expect(point).toMatch(/\| (Partly|Not applicable|Not): ./);
  }
});

test('the named files exist', () => {
  const files = [...page.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(join(PROJECT_ROOT, file)))).toEqual([]);
});
