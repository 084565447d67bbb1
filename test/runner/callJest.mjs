import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
/** Time for an aborted run to end by itself. */
const GRACE_MS = 5_000;
const LOOK_MS = 50;
const STATUS = { passed: 'passed', failed: 'failed' };

/**
 * @typedef {object} TestResult
 * @property {string} room
 * @property {string} file
 * @property {string | undefined} name With the names of its describes; undefined for a file that could not be loaded.
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {number} ms
 * @property {string} [error]
 */

/** @returns {TestResult[]} */
function resultsOf({ name, status, message, assertionResults }, root, room) {
  const file = relative(root, name);
  const results = assertionResults.map((test) => ({
    room: room.name,
    file,
    name: test.fullName,
    status: STATUS[test.status] ?? 'skipped',
    ms: test.duration ?? 0,
    ...(test.status === 'failed' ? { error: test.failureMessages.join('\n') } : {}),
  }));
  const isBroken = status === 'failed' && results.every((one) => one.status !== 'failed');
  return isBroken
    ? [...results, { room: room.name, file, name: undefined, status: 'failed', ms: 0, error: message }]
    : results;
}

/** A process group, because jest's workers continue without jest, with everything that they have started. */
function spawnGroup(args, options) {
  return spawn(process.execPath, args, { ...options, stdio: ['inherit', 'ignore', 'inherit'], detached: true });
}

/** Ends the rest of a group. A worker with a handler for SIGTERM, such as Playwright's, may survive that. */
async function endGroup(leader) {
  const send = (signal) => {
    try {
      return process.kill(-leader, signal);
    } catch (error) {
      if (error.code === 'ESRCH') return false;
      throw error;
    }
  };
  const deadline = Date.now() + GRACE_MS;
  send('SIGTERM');
  while (send(0) && Date.now() < deadline) await sleep(LOOK_MS);
  send('SIGKILL');
}

/** Returns exit code, signal or error. After an abort nothing of its group is left. */
async function untilEnded(child, signal) {
  const ended = new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, by) => done(by ?? code));
  });
  let ending;
  const stop = () => {
    if (child.pid !== undefined) ending = endGroup(child.pid);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const how = await ended;
  signal.removeEventListener('abort', stop);
  await ending;
  return how;
}

/**
 * Runs files of a room with jest, which prints its results.
 * @param {{ root: string, room: import('../rooms.mjs').Room, files: string[], given?: object, args?: string[], signal: AbortSignal }} call
 *   `given`: the data that tests get by `inject`; `args`: further arguments of jest.
 * @returns {Promise<TestResult[]>}
 */
export async function callJest({ root, room, files, given = {}, args = [], signal }) {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-jest-'));
  const report = join(folder, 'report.json');
  const jest = [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', JEST],
    ...['--maxWorkers', String(room.workers), '--testTimeout', String(room.timeoutMs)],
    ...['--json', '--outputFile', report, ...args, '--runTestsByPath', ...files],
  ];
  const env = { ...process.env, PERDURE_TEST_GIVEN: JSON.stringify(given) };
  const ending = await untilEnded(spawnGroup(jest, { cwd: root, env }), signal);
  try {
    if (!existsSync(report)) {
      const error = `jest ended with ${ending} and left no report`;
      return [{ room: room.name, file: files.join(' '), name: undefined, status: 'failed', ms: 0, error }];
    }
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const results = testResults.flatMap((one) => resultsOf(one, root, room));
    const isToldWhy = ending === 0 || results.some(({ status }) => status === 'failed');
    if (isToldWhy) return results;
    const error = `jest ended with ${ending}, though no test failed`;
    return [...results, { room: room.name, file: files.join(' '), name: undefined, status: 'failed', ms: 0, error }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
