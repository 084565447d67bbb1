import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import type { Stack } from './ownStack.ts';

export interface PartOfStack {
  /** Kills it with -9; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Resolves when it is ready. `environment` is added to the stack's settings; `dist` is another build's. */
export async function startPart(
  stack: Pick<Stack, 'dataDir' | 'databaseUrl' | 'temporalAddress'>,
  part: 'api' | 'worker',
  environment: Record<string, string> = {},
  dist = join(PROJECT_ROOT, 'dist'),
): Promise<PartOfStack> {
  const secrets = JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  const child = spawn(process.execPath, [join(dist, `${part}/main.js`)], {
    env: {
      ...process.env,
      ...secrets,
      ENABLE_TESTING_APP: 'true',
      LOG_LEVEL: 'info',
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilReady(child, part);
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function untilReady(child: ChildProcess, part: string): Promise<void> {
  let printed = '';
  await new Promise<void>((ready, fail) => {
    child.stdout?.on('data', (text: Buffer) => {
      printed += text;
      if (printed.includes('"ready"')) ready();
    });
    child.once('exit', (code) => fail(new Error(`The ${part} ended with ${code}:\n${printed}`)));
  });
}
