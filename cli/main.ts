#!/usr/bin/env node
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from './commands.ts';
import { EXIT } from './exitCode.ts';

// The reader of the output has gone, as with `| head`. That is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.readerGone);
});

const [first, ...words] = process.argv.slice(2);
if (first === '__complete') {
  const { completeWords } = await import('./completeWords.ts');
  const begun = words[0] === '--' ? words.slice(1) : words;
  const { words: known, kind } = completeWords(begun, COMMANDS, GLOBAL_OPTIONS);
  const held =
    kind === undefined ? [] : await (await import('./completeNames.ts')).completeNames(kind, begun.at(-1) ?? '');
  process.stdout.write([...known, ...held, ''].join('\n'));
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2), COMMANDS, GROUPS, GLOBAL_OPTIONS);
}
