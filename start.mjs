// node start.mjs <module of dist> [arguments]
// Prepares what is missing, then becomes that module in this process: a process in between would have to forward
// signals and could be left behind.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';

const [module, ...args] = process.argv.slice(2);
if (module === undefined) {
  process.stderr.write('usage: node start.mjs <module of dist> [arguments]\n');
  process.exit(2);
}
try {
  await prepare();
} catch (error) {
  process.stderr.write(`perdure  ${error.message}\n`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
const file = join(import.meta.dirname, 'dist', module);
process.argv = [process.argv[0], file, ...args];
await import(pathToFileURL(file).href);
