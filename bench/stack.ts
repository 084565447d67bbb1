import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstCredentials } from '../embedded/credentials.ts';
import type { Running } from '../embedded/runningFile.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';

const READY = 'Ctrl-C stops everything';
const READY_MS = 120_000;

export interface BenchStack {
  pid: number;
  credentials: FirstCredentials;
  running: Running;
  stop(): Promise<void>;
}

/** Starts the stack of `npm start` on free ports, with its data in `dataDir` and the bench's environment. */
export async function startStack(
  dataDir: string,
  environment: Record<string, string> = {},
  nodeArguments: string[] = [],
): Promise<BenchStack> {
  const main = join(PROJECT_ROOT, 'dist/embedded/main.js');
  const child = spawn(process.execPath, [...nodeArguments, main, '--end-with-parent', '--no-examples'], {
    env: {
      ...process.env,
      ENABLE_TESTING_APP: 'true',
      PORT: '0',
      TEMPORAL_PORT: '0',
      TEMPORAL_UI_PORT: '0',
      ...environment,
      PERDURE_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((done, fail) => {
    const refuse = (why: string) => fail(new Error(`The stack ${why}:\n${printed}`));
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      refuse(`was not ready after ${READY_MS / 1_000} s`);
    }, READY_MS);
    const take = (text: Buffer) => {
      printed += text;
      if (!printed.includes(READY)) return;
      clearTimeout(late);
      done();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      refuse(`ended with ${signal ?? code}`);
    });
  });
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as FirstCredentials;
  const running = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')) as Running;
  return {
    pid: running.pid,
    credentials,
    running,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
