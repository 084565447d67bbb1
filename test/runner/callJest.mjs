import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
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

/** @returns {TestResult[]} The results in a report of jest on one file. */
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

/**
 * Runs files of a room with jest, which prints what it finds.
 * @param {{ root: string, room: import('../rooms.mjs').Room, files: string[], given?: object, args?: string[], signal: AbortSignal }} call
 *   `given`: what the tests get by `inject`; `args`: further arguments of jest.
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
  const child = spawn(process.execPath, jest, { cwd: root, env, stdio: ['inherit', 'ignore', 'inherit'] });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const ending = await new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, by) => done(by ?? code));
  });
  signal.removeEventListener('abort', stop);
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
