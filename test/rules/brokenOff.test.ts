import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { callJest } from '../runner/callJest.mjs';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';

/** Files whose tests never end. One ignores SIGTERM, like a worker with Playwright's browser. */
const FILES = { a: '', b: "process.on('SIGTERM', () => undefined);" };
const hangs = (first: string) => `test('hangs', async () => {
  ${first}
  const started = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  require('node:fs').writeFileSync(__filename + '.pids', process.pid + ' ' + started.pid + '\\n');
  await new Promise(() => setInterval(() => undefined, 1_000));
}, 3_600_000);`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("an aborted run leaves neither jest's workers behind nor their children", async () => {
  const root = mkdtempSync(join(tmpdir(), 'perdure-broken-off-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'jest.config.mjs'), 'export default {};\n');
  const fileOf = (name: string) => join(root, `${name}.test.js`);
  for (const [name, first] of Object.entries(FILES)) writeFileSync(fileOf(name), hangs(first));
  const files = Object.keys(FILES).map(fileOf);
  const room = { name: 'hanging', workers: 2, timeoutMs: 1_000 };
  const stopping = new AbortController();
  const running = callJest({ root, room, files, signal: stopping.signal });
  onTestFinished(() => stopping.abort());
  const pidsOf = (file: string) => (existsSync(`${file}.pids`) ? readFileSync(`${file}.pids`, 'utf8') : '');
  await poll(() => files.every((file) => pidsOf(file).endsWith('\n')), { timeout: 120_000 }).toBe(true);
  const pids = files.flatMap((file) => pidsOf(file).trim().split(' ').map(Number));
  onTestFinished(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
  });
  expect(new Set(pids).size).toBe(4);
  stopping.abort();
  expect(await running).toMatchObject([{ status: 'failed' }]);
  await poll(() => pids.filter(isAlive)).toEqual([]);
});
