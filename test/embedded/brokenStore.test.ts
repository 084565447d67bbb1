// test: pglite
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { mendBrokenStore } from '../../embedded/brokenStore.ts';
import { type SupervisedChild, startChild } from '../../embedded/childProcess.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';

// Lines of a Temporal server whose connection to SQLite broke permanently with 60,000 starts in flight.

const LINE =
  'level=ERROR msg="Operation failed with internal error." error="GetNamespace operation failed. Error interrupted (9)"\n';
const EVERY_MS = 20;

async function store(answers: (pid: number | undefined) => boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-store-'));
  const [logFile, up] = [join(folder, 'temporal.log'), join(folder, 'up')];
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const child: SupervisedChild = await startChild({
    ...{ name: 'Temporal server', command: 'sh', args: ['-c', `: > ${up}; while :; do sleep 0.05; done`] },
    ...{ logFile, readyTimeoutMs: 10_000, say, isReady: async () => existsSync(up) },
  });
  let asked = 0;
  const stopLooking = mendBrokenStore({
    ...{ child, logFile, everyMs: EVERY_MS, say },
    answers: async () => {
      asked += 1;
      return answers(child.pid());
    },
  });
  onTestFinished(async () => {
    stopLooking();
    await child.stop(1_000);
    rmSync(folder, { recursive: true });
  });
  return { child, said, asked: () => asked, logs: () => appendFileSync(logFile, LINE) };
}

/** Logs on each request, like a broken server. */
function loggingAgain(logs: () => void): void {
  const timer = setInterval(logs, EVERY_MS / 4);
  onTestFinished(() => clearInterval(timer));
}

test('a server that logs broken queries and answers nothing is started again, once', async () => {
  let first: number | undefined;
  const { child, said, logs, asked } = await store((pid) => pid !== first);
  first = child.pid();
  loggingAgain(logs);
  await poll(() => child.pid() !== first).toBe(true);
  const second = child.pid();
  const before = asked();
  await poll(() => asked() > before + 5).toBe(true);
  expect(child.pid()).toBe(second);
  expect(said.filter((line) => line.includes('its store does not answer'))).toHaveLength(1);
});

test('one that answers continues, even after its caller gave up a query', async () => {
  const { child, logs, asked } = await store(() => true);
  const first = child.pid();
  loggingAgain(logs);
  await poll(() => asked() > 5).toBe(true);
  expect(child.pid()).toBe(first);
});

test('single broken queries with pauses in between cause no restart, even without an answer', async () => {
  const { child, logs, asked } = await store(() => false);
  const first = child.pid();
  logs();
  await poll(() => asked()).toBe(1);
  // Lines that were read before no longer count.
  logs();
  await poll(() => asked()).toBe(2);
  expect(child.pid()).toBe(first);
});
