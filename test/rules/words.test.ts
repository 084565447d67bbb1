import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../process/projectRoot.ts';

/** Names that meant several things, each with the word that docs/glossary.md has instead. */
const RETIRED: readonly (readonly [pattern: string, instead: string])[] = [
  ['runShare|evenShare|loopShares|dividedShare', 'a slice of a loop'],
  ['[Ss]hare of (a|its|the) loop', 'a slice of a loop'],
  ['new Turns\\b|class Turns\\b', 'Sequencer: a turn is that of an agent'],
  [
    'loopInRegion\\.ts|loopAnswer\\.ts|iterationClosing\\.ts|executionClosing\\.ts',
    'regionLoop, askLoop, scopeClosing',
  ],
];

const SELF = 'test/rules/words.test.ts';
const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  .split('\0')
  .filter(
    (file) => /\.(ts|mjs|md|sql|yaml|prisma)$/.test(file) && file !== SELF && existsSync(join(PROJECT_ROOT, file)),
  );

test.each(RETIRED)('%s does not come back: it is %s', (pattern) => {
  const retired = new RegExp(`\\b(${pattern})`);
  expect(files.filter((file) => retired.test(readFileSync(join(PROJECT_ROOT, file), 'utf8')))).toEqual([]);
});
