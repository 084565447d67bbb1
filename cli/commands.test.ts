import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { OPERATIONS } from '#client';
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts';
import { COMMANDS_PAGE, commandsOf, commandsText } from './commandsPage.ts';
import { completeWords } from './completeWords.ts';

test('docs/cli.md has the commands of the table; npm run commands writes them', () => {
  expect(commandsOf(readFileSync(COMMANDS_PAGE, 'utf8'))).toBe(commandsText());
});

test('commands name operations of the contract, and load', async () => {
  for (const { name, operations, load } of COMMANDS) {
    for (const id of operations) expect([name, Object.keys(OPERATIONS)]).toEqual([name, expect.arrayContaining([id])]);
    expect(await load()).toEqual(expect.any(Function));
  }
});

test('each example is of its command', () => {
  for (const { name, examples } of COMMANDS) {
    for (const example of examples) expect(example).toContain(`perdure ${name}`);
  }
});

test('completion knows commands, their groups, and options', () => {
  const of = (...words: string[]) => completeWords(words, COMMANDS, GLOBAL_OPTIONS);
  expect(of('ex')).toEqual(['executions']);
  expect(of('executions', 're')).toEqual(['retry']);
  expect(of('run', 'greet', '--fo')).toEqual(['--follow']);
  expect(of('queue', '')).toEqual(['add', 'claim', 'complete', 'fail', 'items', 'list', 'requeue', 'work']);
  expect(of('nothing', '')).toEqual([]);
});
