#!/usr/bin/env node
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts';

const [first, ...words] = process.argv.slice(2);
if (first === '__complete') {
  const { completeWords } = await import('./completeWords.ts');
  const begun = words[0] === '--' ? words.slice(1) : words;
  process.stdout.write(`${completeWords(begun, COMMANDS, GLOBAL_OPTIONS).join('\n')}\n`);
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2), COMMANDS, GLOBAL_OPTIONS);
}
