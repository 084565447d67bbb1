import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

/** Names that meant several things, each with the word that docs/glossary.md has instead. */
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

/** Old words of comments, documents and names, each with the words of the field. */
const RETIRED_PROSE: readonly (readonly [pattern: string, instead: string])[] = [
  ['[Tt]old\\b', 'sent, notified, reported, listed'],
  ['let(s|ting)? go\\b', 'released, dropped'],
  ['under way\\b', 'running, unfinished'],
  ['anew\\b', 'again'],
];

const SELF = 'test/rules/words.test.ts';
const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  .split('\0')
  .filter(
    (file) => /\.(ts|mjs|md|sql|yaml|prisma)$/.test(file) && file !== SELF && existsSync(join(PROJECT_ROOT, file)),
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

test('titles of tests have no riddling subject', () => {
  const riddle = /^\s*(test|it|describe)(\.\w+)*\(\s*['"`](what|who|whoever|whatever|those that|of (which|what)) .*/im;
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  expect(tests.filter((file) => riddle.test(readFileSync(join(PROJECT_ROOT, file), 'utf8')))).toEqual([]);
});
