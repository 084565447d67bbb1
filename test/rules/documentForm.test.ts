import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

// Countable properties of readable pages. Pages of examples/, deploy/ and bench/ are exempt.

const MAX_DOCS_LINES = 5_700;
const MAX_README_LINES = 200;
const MAX_PARAGRAPH_WORDS = 120;
const MAX_CELL_SENTENCES = 2;

const pages = execFileSync('git', ['ls-files', '-z', 'README.md', 'CONTRIBUTING.md', 'docs/*.md'], {
  cwd: PROJECT_ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((page) => page !== '' && existsSync(join(PROJECT_ROOT, page)));
const read = (page: string) => readFileSync(join(PROJECT_ROOT, page), 'utf8');
const lineCount = (page: string) => read(page).split('\n').length - 1;
const prose = (page: string) => read(page).replaceAll(/^ *```.*?^ *```$/gms, '');

/** Includes items of lists. */
function paragraphsOf(page: string): string[] {
  const lines = prose(page)
    .split('\n')
    .map((line) => (/^(\||#|<!--)/.test(line) ? '' : line));
  return lines.join('\n').split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
}

function cellsOf(page: string): string[] {
  const rows = prose(page)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => row.split(/(?<!\\)\|/));
}

const sentences = (text: string) => text.replaceAll(/`[^`]*`/g, 'code').match(/[^.!?]+[.!?](?=\s|$)/g)?.length ?? 0;

test('the README and docs/ stay short', () => {
  expect(lineCount('README.md')).toBeLessThanOrEqual(MAX_README_LINES);
  const docs = pages.filter((page) => page.startsWith('docs/'));
  expect(docs.reduce((sum, page) => sum + lineCount(page), 0)).toBeLessThanOrEqual(MAX_DOCS_LINES);
});

test.each(pages)('%s: no paragraph is too long', (page) => {
  const long = paragraphsOf(page).filter((paragraph) => paragraph.split(/\s+/).length > MAX_PARAGRAPH_WORDS);
  expect(long).toEqual([]);
});

test.each(pages)('%s: cells of tables have at most two sentences', (page) => {
  expect(cellsOf(page).filter((cell) => sentences(cell) > MAX_CELL_SENTENCES)).toEqual([]);
});

test('guides of users name no files of tests', () => {
  // The checklist names its evidence, and pages for developers name the tests that they extend.
  const own = ['docs/security.md', 'docs/writing-an-app.md', 'docs/glossary.md', 'docs/architecture.md'];
  const guides = pages.filter((page) => /^docs\/[^/]+$/.test(page) && !own.includes(page));
  expect(
    guides.filter((page) => /\.test\.ts|\btest\/(api|embedded|kills|workflows|console)\b/.test(read(page))),
  ).toEqual([]);
});

test.each(['api', 'engine', 'domain', 'activities'])('docs/architecture.md names each folder of %s/', (room) => {
  const [, list = ''] = /^## Folders\n\n```\n(.*?)^```/ms.exec(read('docs/architecture.md')) ?? [];
  const [, section = ''] = new RegExp(`^${room}/(.*?)(?=^\\S)`, 'ms').exec(list) ?? [];
  const folders = readdirSync(join(PROJECT_ROOT, room), { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(folders.length).toBeGreaterThan(5);
  expect(folders.map(({ name }) => name).filter((name) => !section.includes(`${name}/`))).toEqual([]);
});
