import { callJest } from './callJest.mjs';
import { endSharedStack, sharedStack } from './sharedStack.mjs';

/** More failures than this are not repeated: they are no coincidence. */
const MAX_TRIED_AGAIN = 10;

/** All tests of a file that failed to load, or one test. */
function onlyThis({ name }) {
  return name === undefined ? [] : ['--testNamePattern', `^${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`];
}

/**
 * Repeats each failed test once by itself, on a fresh stack if its room uses one.
 * @param {import('./callJest.mjs').TestResult[]} results
 * @param {{ root: string, rooms: import('../rooms.mjs').Room[], database: ReturnType<typeof import('./testDatabase.mjs').testDatabase>, signal: AbortSignal }} run
 * @returns {Promise<import('./callJest.mjs').TestResult[]>} Those that then passed are `flaky`, with their first error.
 */
export async function tryAgain(results, { root, rooms, database, signal }) {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0 || failed.length > MAX_TRIED_AGAIN) return results;
  const flaky = new Set();
  for (const one of failed) {
    const room = rooms.find(({ name }) => name === one.room);
    if (signal.aborted || !room || one.file.includes(' ')) break;
    process.stderr.write(`\n== once more by itself: ${one.file}: ${one.name ?? 'the file'}\n`);
    await endSharedStack();
    await database.prepare(room);
    const given = room.stack ? await sharedStack() : {};
    const again = await callJest({ root, room, files: [one.file], given, args: onlyThis(one), signal });
    const ran = again.filter(({ status }) => status !== 'skipped');
    if (ran.length > 0 && ran.every(({ status }) => status === 'passed')) flaky.add(one);
  }
  return results.map((one) => (flaky.has(one) ? { ...one, status: 'passed', flaky: true } : one));
}
