import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startChild } from '../../embedded/childProcess.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

let folder: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-child-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A child that writes its pid when it is ready; a stubborn one ignores SIGTERM. */
function child(more: { stubborn?: boolean; fails?: boolean } = {}) {
  const pidFile = join(folder, 'pid');
  const script = more.fails
    ? `echo "no such disk" >&2; exit 3`
    : `${more.stubborn ? "trap '' TERM;" : ''} echo $$ > ${pidFile}; while :; do sleep 0.05; done`;
  return {
    pidFile,
    options: {
      name: 'sample',
      command: 'sh',
      args: ['-c', script],
      logFile: join(folder, 'logs/sample.log'),
      isReady: async () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'),
      readyTimeoutMs: 10_000,
      say: (line: string) => void lines.push(line),
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await sleep(20);
  }
}

describe('a supervised child', () => {
  test('has the reported pid, and ends when it is stopped', async () => {
    const { options, pidFile } = child();
    const running = await startChild(options);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(running.pid()).toBe(pid);
    await running.stop(5_000);
    expect(isAlive(pid)).toBe(false);
    expect(lines).toEqual([]);
  });

  test('that ignores SIGTERM is killed after its grace period', async () => {
    const { options } = child({ stubborn: true });
    const running = await startChild(options);
    const pid = running.pid() ?? 0;
    const startedAt = Date.now();
    await running.stop(200);
    expect(isAlive(pid)).toBe(false);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(190);
  });

  test('is restarted when it dies, but not after it is stopped', async () => {
    const { options, pidFile } = child();
    const running = await startChild(options);
    const first = running.pid() ?? 0;
    rmSync(pidFile);
    process.kill(first, 'SIGKILL');
    await until(() => existsSync(pidFile) && running.pid() !== first, 'a second life');
    const second = running.pid() ?? 0;
    expect(isAlive(second)).toBe(true);
    expect(lines.join('\n')).toMatch(/The sample ended \(SIGKILL\).*starts again in 100 ms/);
    await running.stop(2_000);
    await sleep(300);
    expect(isAlive(second)).toBe(false);
    expect(running.pid()).toBe(second);
  });

  test('that cannot start is an error with its last output', async () => {
    const { options } = child({ fails: true });
    await expect(startChild(options)).rejects.toThrow(/The sample ended \(exit code 3\) at its start:\s+no such disk/);
  });

  test('that does not exist is an error', async () => {
    const { options } = child();
    await expect(startChild({ ...options, command: '/nowhere/at-all' })).rejects.toThrow(/not found/);
  });
});

/** A process that supervises the child of `child()` and prints its pid. */
function startParent(pidFile: string): ChildProcess {
  const module = join(PROJECT_ROOT, 'dist/embedded/childProcess.js');
  const script = join(folder, 'parent.mjs');
  writeFileSync(
    script,
    `import { startChild } from ${JSON.stringify(module)};
     import { existsSync } from 'node:fs';
     const running = await startChild({ name: 'sample', command: 'sh',
       args: ['-c', 'trap "" TERM HUP INT; echo $$ > ${pidFile}; while :; do sleep 0.05; done'],
       logFile: ${JSON.stringify(join(folder, 'logs/sample.log'))},
       isReady: async () => existsSync(${JSON.stringify(pidFile)}), readyTimeoutMs: 10000, say() {} });
     console.log(running.pid());`,
  );
  return spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe('the end of the parent', () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    test(`by ${signal} is the end of a child that hears no signals, and of its watcher`, async () => {
      const parent = startParent(join(folder, 'pid'));
      const [printed] = (await once(parent.stdout as NonNullable<typeof parent.stdout>, 'data')) as [Buffer];
      const pid = Number(printed.toString());
      expect(isAlive(pid)).toBe(true);
      const ended = once(parent, 'exit');
      parent.kill(signal);
      await ended;
      await until(() => !isAlive(pid), 'the end of the child');
      // The child led its own group, which contained the watcher.
      await until(() => !isAlive(-pid), 'the end of the watcher');
    });
  }
});
