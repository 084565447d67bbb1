import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SupervisedChild } from '../../embedded/childProcess.ts';
import { startChild } from '../../embedded/childProcess.ts';
import type { Say } from '../../embedded/say.ts';
import { anyPort } from '../../process/ports.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const READY_MS = 60_000;

const say: Say = (line) => {
  process.stderr.write(`perdure  ${line}\n`);
};

/** Separate processes, of another build or on other databases. */
export interface OwnLayout {
  folder: string;
  say: Say;
  add(child: SupervisedChild): void;
  /** `dist`: another build. Resolves when it polls. */
  startWorker(environment: Record<string, string>, dist?: string): Promise<SupervisedChild>;
  /** Resolves with its url when it responds. */
  startApi(environment: Record<string, string>, dist?: string): Promise<{ child: SupervisedChild; url: string }>;
  dispose(): Promise<void>;
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

export function ownLayout(): OwnLayout {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-layout-'));
  const children: SupervisedChild[] = [];

  async function start(
    name: 'api' | 'worker',
    env: Record<string, string>,
    dist: string,
    isReady: (logFile: string) => Promise<boolean>,
  ): Promise<SupervisedChild> {
    const logFile = join(folder, `${name}-${children.length}.log`);
    const child = await startChild({
      ...{ name, command: process.execPath, args: [join(dist, name, 'main.js')], logFile, say },
      env: { ...env, METRICS_PORT: '0' },
      isReady: () => isReady(logFile),
      readyTimeoutMs: READY_MS,
    });
    children.push(child);
    return child;
  }

  return {
    folder,
    say,
    add: (child) => void children.push(child),
    startWorker: (environment, dist = join(PROJECT_ROOT, 'dist')) =>
      start('worker', environment, dist, async (logFile) => readFileSync(logFile, 'utf8').includes('"ready"')),
    async startApi(environment, dist = join(PROJECT_ROOT, 'dist')) {
      const port = await anyPort();
      const url = `http://127.0.0.1:${port}`;
      const env = { ...environment, PORT: String(port) };
      return { child: await start('api', env, dist, () => answers(`${url}/readyz`)), url };
    },
    async dispose() {
      for (const child of children.reverse()) await child.stop(READY_MS / 2);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
