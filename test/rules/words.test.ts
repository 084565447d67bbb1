import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

/** Ambiguous names, each with the word of docs/glossary.md. */
const RETIRED: readonly (readonly [pattern: string, instead: string])[] = [
  ['runShare|evenShare|loopShares|dividedShare', 'a slice of a loop'],
  ['[Ss]hare of (a|its|the) loop', 'a slice of a loop'],
  ['new Turns\\b|class Turns\\b', 'Sequencer: a turn is that of an agent'],
  ['loopInRegion\\.ts|loopAnswer\\.ts|iterationClosing\\.ts|executionClosing\\.ts', 'regionLoop, askLoop, scopeEnd'],
  ['closeExecution|closeTurn|closedStatus|scopeClosing|closeWith', 'end: an execution, a scope and a turn end'],
  ['openSecrets|OpenSecrets', 'revealSecrets: openConnection and it opened two things'],
  [
    'patiently|Breath\\b|announceRunning|claimUntold\\w*|ToldLoops',
    'whileDatabaseAway, EventLoopYield, showRunning, unsent',
  ],
  ['(specification|decisions)\\.md', 'what a reader needs of it, here or in docs/'],
  ['(MOST|LONGEST|LARGEST)_[A-Z]', 'MAX_'],
  ['(LEAST|SHORTEST|FEWEST)_[A-Z]', 'MIN_'],
];

/** Old words of comments, documents and names, with the usual ones. */
const RETIRED_PROSE: readonly (readonly [pattern: string, instead: string])[] = [
  ['[Tt]old\\b', 'sent, notified, reported, listed'],
  ['let(s|ting)? go\\b', 'released, dropped'],
  ['under way\\b', 'running, unfinished'],
  ['anew\\b', 'again'],
];

/** Habits of syntax that need two readings, with plain words. */
const HABITS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(?:^|[.;:] )Of (?!course)/, 'subject, verb, object'],
  [/(?:^|\. )(?:Where|Who|Whose|What)\b(?![^.]*\?)/, 'if, when, or the subject itself'],
  [/\b(?:undefined|null|empty|none|absent|true|false|required) where\b/i, 'if, when'],
  [/\bwhere (?:nobody|none|nothing|there (?:is|are|was))\b/i, 'if, when'],
  [/\b(?:go|goes|going|gone|went) on\b/i, 'continues'],
  [/\bno more\b(?! than)/i, 'no longer'],
  [/\bso (?:often|(?:many|much|long) that)\b/i, 'that often, or the number'],
  [/\bwhoever\b/i, 'the person or the part that acts'],
  [/\b(?:stands?|stood)\b/i, 'is, applies, remains'],
  [/\bbeside\b/i, 'next to, in addition to, compared with'],
  [/\b(?:not|none|nobody|nothing|any) any ?more\b/i, 'no longer'],
];

/** Folders whose comments and test titles are free of `HABITS`. */
const CLEAN: readonly string[] = [
  'activities/',
  'api/',
  'bench/',
  'cases/',
  'cli/',
  'client/',
  'console/',
  'domain/',
  'embedded/',
  'engine/',
  'prisma/',
  'process/',
  'settings/',
  'temporal-workflows/',
  'test/',
  'tools/',
  'worker/',
];

const SELF = 'test/rules/words.test.ts';
const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  .split('\0')
  .filter(
    (file) => /\.(tsx?|mjs|md|sql|yaml|prisma)$/.test(file) && file !== SELF && existsSync(join(PROJECT_ROOT, file)),
  );

function holding(pattern: string, among: readonly string[]): string[] {
  const retired = new RegExp(`\\b(${pattern})`);
  return among.filter((file) => retired.test(readFileSync(join(PROJECT_ROOT, file), 'utf8')));
}

test.each(RETIRED)('%s does not come back: it is %s', (pattern) => {
  expect(holding(pattern, files)).toEqual([]);
});

test.each(RETIRED_PROSE)('nothing says %s: it says %s', (pattern) => {
  const living = files.filter((file) => file !== 'CHANGELOG.md');
  expect(holding(pattern, living)).toEqual([]);
});

/** Comments, each as one text, and test titles of a source. */
function proseOf(source: string): string[] {
  const comments = [
    ...source.matchAll(/(?<=^|\s)\/\*[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--) .*\n)+|[ \t](?:\/\/|--) .*$/gm),
  ];
  const titles = [...source.matchAll(/^(?:\s*\w+(?:\.\w+)*(?:\([^'"`\n]*\))?|\s*\]\))\(\s*(['"`])(.*?)\1, /gm)];
  return [
    ...comments.map(([text]) => text.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/|--)/gm, '').replace(/\s+/g, ' ')),
    ...titles.map((match) => match[2] ?? '').filter((title) => title.includes(' ')),
  ].map((text) => text.replace(/`[^`]*`|\*\/$/g, '…').trim());
}

test.each(HABITS)('comments of clean rooms have no %s: write %s', (pattern) => {
  const clean = files.filter((file) => /\.(tsx?|mjs|sql)$/.test(file) && CLEAN.some((path) => file.startsWith(path)));
  const found = clean.flatMap((file) =>
    proseOf(readFileSync(join(PROJECT_ROOT, file), 'utf8'))
      .filter((text) => pattern.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('titles of tests have no riddling subject', () => {
  const riddle = /^\s*(test|it|describe)(\.\w+)*\(\s*['"`](what|who|whoever|whatever|those that|of (which|what)) .*/im;
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  expect(tests.filter((file) => riddle.test(readFileSync(join(PROJECT_ROOT, file), 'utf8')))).toEqual([]);
});
