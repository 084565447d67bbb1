import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchStack } from './stack.ts';

export interface BareProcess {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

export async function startBare({ running, credentials }: BenchStack, embeddingsUrl: string): Promise<BareProcess> {
  const child = fork(fileURLToPath(new URL('./bare/main.js', import.meta.url)), {
    env: {
      ...process.env,
      BARE_TEMPORAL_ADDRESS: running.temporalAddress,
      BARE_DATABASE_URL: running.databaseUrl,
      BARE_API_KEY: credentials.apiKey,
      BARE_EMBEDDINGS_URL: embeddingsUrl,
    },
    execArgv: [],
  });
  const port = await new Promise<number>((done, fail) => {
    child.once('message', (message: { port: number }) => done(message.port));
    child.once('error', fail);
    child.once('exit', (code, signal) => fail(new Error(`bench/bare ended with ${signal ?? code}`)));
  });
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
