import { callJest } from './callJest.mjs';
import { endSharedStack, sharedStack } from './sharedStack.mjs';

/** More failures than these are no matter of luck: they are not tried again. */
const MAX_TRIED_AGAIN = 10;

/** Every test of a broken file, or the one test alone. */
function onlyThis({ name }) {
  return name === undefined ? [] : ['--testNamePattern', `^${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`];
}

/**
 * Tries each failed test once more by itself, on a fresh stack where its room uses one.
 * @param {import('./callJest.mjs').TestResult[]} results
 * @param {{ root: string, rooms: import('../rooms.mjs').Room[], database: ReturnType<typeof import('./testDatabase.mjs').testDatabase>, signal: AbortSignal }} run
 * @returns {Promise<import('./callJest.mjs').TestResult[]>} Those that passed then are `flaky`, with their first error.
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
