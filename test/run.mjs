// node test/run.mjs [--all] [--database postgres|pglite] [--room <name>]… [--except <room>]… [-t <part of a test's name>]
//   [--report <file>] [part of a path]…
// Runs the tests with jest, room by room (test/rooms.mjs); `npm test -- …` is the same. Without arguments it leaves out the
// files with the tag `long` and names them at its end; --all runs them too, and so does whatever names a room or a path.
// The database is that of DATABASE_URL, or else a Postgres that the run fetches and starts, or PGlite if it can't fetch one.
// --database chooses; `--database pglite` alone runs the files with the tag `pglite`. With CI set, a test that fails is
// tried once more by itself. The last line is `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../prepare.mjs';
import { PRODUCTION_ROOMS, ROOMS } from './rooms.mjs';
import { callJest } from './runner/callJest.mjs';
import { closing } from './runner/closing.mjs';
import { endSharedStack, sharedStack } from './runner/sharedStack.mjs';
import { tagsOf } from './runner/tags.mjs';
import { temporalCommand } from './runner/temporalCommand.mjs';
import { KINDS, testDatabase } from './runner/testDatabase.mjs';
import { filesByRoom, takeAway } from './runner/testFiles.mjs';
import { tryAgain } from './runner/tryAgain.mjs';

const ROOT = join(import.meta.dirname, '..');
const OPTIONS = {
  all: { type: 'boolean' },
  room: { type: 'string', multiple: true },
  except: { type: 'string', multiple: true },
  database: { type: 'string' },
  report: { type: 'string' },
  testNamePattern: { type: 'string', short: 't' },
  verbose: { type: 'boolean' },
  detectOpenHandles: { type: 'boolean' },
};
/** One of these arguments, or a path, also selects files that a tag excludes. */
const WHOLE = ['all', 'room', 'testNamePattern'];

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const rooms = process.env.PERDURE_TEST_STACK === 'production' ? PRODUCTION_ROOMS : ROOMS;
for (const name of [...(values.room ?? []), ...(values.except ?? [])]) {
  if (rooms.some((room) => room.name === name)) continue;
  throw new Error(`There is no room ${name}: ${rooms.map((room) => room.name).join(', ')}`);
}
if (values.database !== undefined && !KINDS.includes(values.database)) {
  throw new Error(`--database is ${KINDS.join(' or ')}`);
}
const files = filesByRoom(ROOT, positionals);
for (const room of rooms) if (room.files) files.set(room.name, room.files);
const isTagged = (tag) => (file) => tagsOf(ROOT, file).includes(tag);
const isWhole = positionals.length > 0 || WHOLE.some((name) => values[name] !== undefined);
let leftOut = [];
if (!isWhole && values.database === 'pglite') takeAway(files, (file) => !isTagged('pglite')(file));
else if (!isWhole) leftOut = takeAway(files, isTagged('long'));
const isChosen = ({ name, onPurpose }) =>
  files.has(name) && (values.room?.includes(name) ?? !onPurpose) && !values.except?.includes(name);
const chosen = rooms.filter(isChosen);
if (chosen.length === 0) throw new Error(`No file of tests has a path with ${positionals.join(' or ')} in it`);

const aborted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => aborted.abort());
const { signal } = aborted;
const args = ['verbose', 'detectOpenHandles'].filter((name) => values[name]).map((name) => `--${name}`);
if (values.testNamePattern !== undefined) args.push('--testNamePattern', values.testNamePattern);

if (chosen.some(({ built, stack }) => built || stack)) await prepare();
const database = testDatabase(values.database);
let results = [];
try {
  for (const room of chosen) {
    if (signal.aborted) break;
    process.stderr.write(`\n== ${room.name}\n`);
    if (room.temporal) await temporalCommand();
    await database.prepare(room);
    const given = room.stack ? await sharedStack() : {};
    const begin = performance.now();
    results.push(...(await callJest({ root: ROOT, room, files: files.get(room.name), given, args, signal })));
    process.stderr.write(`== ${room.name}: ${Math.round((performance.now() - begin) / 1000)} s\n`);
  }
  await endSharedStack();
  if (process.env.CI) results = await tryAgain(results, { root: ROOT, rooms, database, signal });
} finally {
  await endSharedStack();
  await database.stop();
}
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(results));
const { lines, isGood } = closing(results, leftOut);
console.log(`\n${lines.join('\n')}`);
process.exitCode = isGood && !signal.aborted ? 0 : 1;
