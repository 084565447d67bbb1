import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readAdminCommand } from '../../api/admin/adminArguments.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from '../../cli/commands.ts';
import { runProgram } from '../../cli/program.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { parseCompose, readComposeText } from '../production/composeFile.ts';
import { commandsOf, shellWords } from './shellWords.ts';

// Every script, command, option, service and value in a documented command line exists. Other tests run most of them.

const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(PROJECT_ROOT, file)));
const read = (file: string) => readFileSync(join(PROJECT_ROOT, file), 'utf8');
/** docs/cli.md is generated from the commands. */
const pages = files.filter((file) => file.endsWith('.md') && file !== 'docs/cli.md');

interface Line {
  page: string;
  words: string[];
  /** A line of a block is complete; one within a sentence may be a part. */
  isWhole: boolean;
}

const lines: Line[] = pages.flatMap((page) => {
  const text = read(page).replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```/gms)]
    .filter(([, language]) => language === '' || language === 'sh')
    .flatMap(([, , block = '']) => block.split('\n'));
  const prose = text.replaceAll(/^ *```.*?^ *```/gms, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'));
  return [
    ...blocks.flatMap(commandsOf).map((words) => ({ page, words, isWhole: true })),
    ...spans.flatMap(commandsOf).map((words) => ({ page, words, isWhole: false })),
  ];
});

/** Lines that begin with these words; returns the rest. */
function after(...begin: string[]): Line[] {
  return lines
    .filter(({ words }) => begin.every((word, index) => words[index] === word))
    .map((line) => ({ ...line, words: line.words.slice(begin.length) }));
}

const shown = ({ page, words }: Line) => `${page}: ${words.join(' ')}`;
const isOpen = (word: string) => word.includes('…');

test('splits a line into words like a shell', () => {
  expect(shellWords(`a --set x='b c' "d \\"e" <item> $(f g) h | i`)).toEqual([
    ...['a', '--set', 'x=b c', 'd \\"e', '<item>', '$(f g)', 'h'],
  ]);
  expect(shellWords('a b#c # d')).toEqual(['a', 'b#c']);
});

test('each script of npm exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = after('npm', 'run').filter(({ words }) => words.length > 0);
  expect(named.length).toBeGreaterThan(50);
  const unknown = named.filter(({ words: [script = ''] }) => !isOpen(script) && !Object.hasOwn(scripts, script));
  expect(unknown.map(shown)).toEqual([]);
});

test('each test that is run by its name exists', () => {
  const named = [...after('npm', 'test', '--'), ...after('npm', 'run', 'test:production', '--')];
  expect(named.length).toBeGreaterThan(10);
  const paths = named.flatMap(({ page, words }) =>
    words.filter((word) => /^[\w./-]+\/[\w./-]+$/.test(word)).map((path) => ({ page, path })),
  );
  const missing = paths.filter(({ path }) => !files.some((file) => file.startsWith(path) && file.includes('.test.')));
  expect(missing).toEqual([]);
});

test('each command of the operator is one, with its options', () => {
  const forms = [
    after('npm', 'run', 'admin', '--'),
    after('docker', 'compose', 'exec', 'api', 'node', 'dist/api/admin/main.js'),
    after('docker', 'compose', 'run')
      .filter(({ words }) => words.includes('save'))
      .map((line) => ({ ...line, words: line.words.slice(line.words.indexOf('save') + 1) })),
  ].flat();
  expect(forms.length).toBeGreaterThan(15);
  const wrong = forms.filter(({ isWhole, words }) => {
    try {
      readAdminCommand(words);
      return false;
    } catch (error) {
      // Within a sentence, options may be missing, but not wrong.
      const isPart = !isWhole && /: required$/m.test((error as Error).message);
      return !isPart;
    }
  });
  expect(wrong.map(shown)).toEqual([]);
});

test('each command of the command line is one, with its options', async () => {
  const silent = COMMANDS.map((command) => ({ ...command, load: async () => async () => 0 }));
  const named = after('perdure').filter(({ words }) => words.length > 0 && !words.some(isOpen));
  expect(named.length).toBeGreaterThan(30);
  const wrong: string[] = [];
  for (const line of named) {
    const { words, isWhole } = line;
    const [first = ''] = words;
    const spec = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
    const isPart = !isWhole && (Object.hasOwn(GROUPS, first) ? words.length === 1 : spec !== undefined);
    if (!isPart && (await runProgram(words, silent, GROUPS, GLOBAL_OPTIONS)) !== 0) wrong.push(shown(line));
    const flags = [...(spec?.options ?? []), ...GLOBAL_OPTIONS].flatMap(({ flags }) => flags.split(/[\s,]+/));
    const unknown = words.filter((word) => /^--\w/.test(word) && !flags.includes(word.split('=')[0] as string));
    if (unknown.length > 0) wrong.push(`${shown(line)}: ${unknown.join(', ')}`);
  }
  expect(wrong).toEqual([]);
});

test('each service for Compose is in the file', () => {
  const { services } = parseCompose(readComposeText());
  const withValue = ['--profile', '--user', '--volume', '--file'];
  const named = after('docker', 'compose').flatMap((line) => {
    const words = line.words.filter(
      (word, index) => !word.startsWith('-') && !withValue.includes(line.words[index - 1] ?? ''),
    );
    const [verb = '', ...rest] = words;
    const asked = ['exec', 'run'].includes(verb) ? rest.slice(0, 1) : rest;
    return asked.filter((word) => !isOpen(word)).map((service) => ({ line: shown(line), service }));
  });
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(({ service }) => !Object.hasOwn(services, service))).toEqual([]);
});

test('each value for helm belongs to the chart', () => {
  const values = parse(read('deploy/helm/values.yaml')) as Record<string, unknown>;
  const paths = after('helm').flatMap(({ words }) =>
    words.flatMap((word, index) => (/^--set(-string)?$/.test(word) ? [words[index + 1]?.split('=')[0] as string] : [])),
  );
  expect(paths.length).toBeGreaterThan(1);
  const found = (path: string) =>
    path.split('.').reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], values);
  expect(paths.filter((path) => found(path) === undefined)).toEqual([]);
});
