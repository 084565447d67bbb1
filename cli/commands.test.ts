import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { OPERATIONS } from '#client';
import { COMMANDS_PAGE, commandsOf, commandsText } from '../tools/commandsPage.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from './commands.ts';
import { completeWords } from './completeWords.ts';
import { runProgram } from './program.ts';

test('docs/cli.md has the commands of the table; npm run commands writes them', () => {
  expect(commandsOf(readFileSync(COMMANDS_PAGE, 'utf8'))).toBe(commandsText());
});

test('commands name operations of the contract, and load', async () => {
  for (const { name, operations, load } of COMMANDS) {
    for (const id of operations) expect([name, Object.keys(OPERATIONS)]).toEqual([name, expect.arrayContaining([id])]);
    expect(await load()).toEqual(expect.any(Function));
  }
});

test('each group of commands has a description', () => {
  const groups = COMMANDS.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0]] : []));
  expect(Object.keys(GROUPS).toSorted()).toEqual([...new Set(groups)].toSorted());
});

test('each example belongs to its command', () => {
  for (const { name, examples } of COMMANDS) {
    for (const example of examples) expect(example).toContain(`perdure ${name}`);
  }
});

function wordsOf(example: string): string[] {
  const [, rest = ''] = /perdure (.*?)(?: [<>] .*|\))?$/.exec(example) ?? [];
  return execFileSync('sh', ['-c', `printf '%s\\0' ${rest}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

test('each example parses after a shell has split it', async () => {
  for (const spec of COMMANDS) {
    for (const example of spec.examples) {
      let ran = false;
      const handler = async () => {
        ran = true;
        return 0;
      };
      const code = await runProgram(wordsOf(example), [{ ...spec, load: async () => handler }], GROUPS, GLOBAL_OPTIONS);
      expect({ example, code, ran }).toEqual({ example, code: 0, ran: true });
    }
  }
});

test('completes commands, their groups, and options', () => {
  const of = (...words: string[]) => completeWords(words, COMMANDS, GLOBAL_OPTIONS);
  expect(of('ex')).toEqual({ words: ['executions'] });
  expect(of('executions', 're')).toEqual({ words: ['retry'] });
  expect(of('run', 'greet', '--fo')).toEqual({ words: ['--follow'] });
  const ofQueue = ['add', 'claim', 'complete', 'fail', 'items', 'list', 'requeue', 'work'];
  expect(of('queue', '')).toEqual({ words: ofQueue });
  expect(of('nothing', '')).toEqual({ words: [] });
});

test('completes names', () => {
  const kindAfter = (...words: string[]) => completeWords(words, COMMANDS, GLOBAL_OPTIONS).kind;
  expect(kindAfter('run', '')).toBe('workflow');
  expect(kindAfter('run', '--follow', 'gr')).toBe('workflow');
  expect(kindAfter('run', '--wait', '10m', 'gr')).toBe('workflow');
  expect(kindAfter('run', 'greet', '')).toBeUndefined();
  expect(kindAfter('executions', 'list', '--status', '')).toBe('status');
  expect(kindAfter('executions', 'list', '--workflow', 'g')).toBe('workflow');
  expect(kindAfter('queue', 'work', '')).toBe('queue');
  expect(kindAfter('agent', 'chat', '')).toBe('agent');
  expect(kindAfter('context', 'use', '')).toBe('context');
  expect(kindAfter('whoami', '--context', '')).toBe('context');
  expect(kindAfter('executions', 'show', '')).toBe('execution');
});
