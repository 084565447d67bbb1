// node test/runner/closeReports.mjs <folder> <suite>…: closes several runs as one, by their reports <suite>.json. A run
// without a report counts as one failure.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closing } from './closing.mjs';

const [folder, ...suites] = process.argv.slice(2);
const results = suites.flatMap((suite) => {
  const path = join(folder, `${suite}.json`);
  if (!existsSync(path)) return [{ suite, file: 'no report', status: 'failed', error: 'The run came to no report' }];
  return JSON.parse(readFileSync(path, 'utf8')).map((one) => ({ ...one, suite }));
});
const { lines, isGood } = closing(results);
console.log(`\n${lines.join('\n')}`);
process.exitCode = isGood ? 0 : 1;
