import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { whilePaused } from '../../embedded/pauseProcesses.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';

async function writer() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => process.stdout.write("x"), 1)']);
  onTestFinished(() => child.kill('SIGKILL'));
  let written = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.length;
  });
  await once(child, 'spawn');
  await poll(() => written, { timeout: 10_000 }).toBeGreaterThan(0);
  return { pid: child.pid as number, written: () => written };
}

const stateOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8').match(/^State:\s+(\S)/m)?.[1];
const PATIENCE = { timeout: 20_000 };

test('processes are paused during the work, even if it fails', async () => {
  const { pid, written } = await writer();
  expect(await whilePaused([pid], async () => stateOf(pid))).toBe('T');
  const before = written();
  await poll(() => written() - before, PATIENCE).toBeGreaterThan(0);
  await expect(whilePaused([pid], () => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  const after = written();
  await poll(() => written() - after, PATIENCE).toBeGreaterThan(0);
});

test('they continue if the pausing process is killed', async () => {
  const { pid, written } = await writer();
  const module = join(PROJECT_ROOT, 'dist/embedded/pauseProcesses.js');
  const script = `import(${JSON.stringify(module)}).then(({ whilePaused }) =>
    whilePaused([${pid}], () => { console.log('still'); return new Promise(() => setInterval(() => {}, 1000)); }))`;
  const halts = spawn(process.execPath, ['-e', script]);
  onTestFinished(() => halts.kill('SIGKILL'));
  await once(halts.stdout, 'data');
  expect(stateOf(pid)).toBe('T');
  halts.kill('SIGKILL');
  await once(halts, 'exit');
  const before = written();
  await poll(() => written() - before, PATIENCE).toBeGreaterThan(0);
});

test('a dead process is an error, and the others continue', async () => {
  const { pid, written } = await writer();
  await expect(whilePaused([pid, 2 ** 22 - 3], async () => undefined)).rejects.toThrow('ESRCH');
  const before = written();
  await poll(() => written() - before, PATIENCE).toBeGreaterThan(0);
});
