import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(PROJECT_ROOT, file)));
const pages = files.filter((file) => file.endsWith('.md'));
const read = (file: string) => readFileSync(join(PROJECT_ROOT, file), 'utf8');

/** The anchor that GitHub makes of a heading. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Links to a missing file or heading. */
function deadLinks(page: string): string[] {
  const prose = read(page).replaceAll(/^```.*?^```/gms, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^\w+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(PROJECT_ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
}

test('the index of docs/ leads to every page there', () => {
  const own = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  const index = read('docs/README.md');
  expect(own.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
});

test.each(pages)('every link of %s has a target', (page) => {
  expect(deadLinks(page)).toEqual([]);
});

test('every page of docs/ that a comment names exists', () => {
  const sources = files.filter((file) => /\.(ts|mjs|cjs|sql|prisma|yaml|yml)$/.test(file));
  const named = sources.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ file, page })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ page }) => !existsSync(join(PROJECT_ROOT, page)))).toEqual([]);
});

test('the overview of the architecture can be read in a quarter of an hour', () => {
  expect(read('docs/architecture.md').split('\n').length).toBeLessThanOrEqual(300);
});
