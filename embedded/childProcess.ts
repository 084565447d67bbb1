import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Say } from './say.ts';

/**
 * Ends a child (such as the Temporal server) with us even after `kill -9`. A shell forks a watcher, then becomes the
 * child:
 *
 *   us ──fd 3──► watcher: end of file ──► kill -9 its group (we are gone)
 *    │                    a line      ──► nothing           (the child ended first: its pid may be reused by now)
 *    └─────────► child (same pid as the shell)
 */
const WATCHED = '( exec >/dev/null 2>&1; read -r line <&3 || kill -s KILL -- -$$ ) & exec 3<&-; exec "$0" "$@"';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** A child that ran this long is restarted quickly again. */
const SETTLED_MS = 30_000;
const KEPT_LOG_BYTES = 10_000_000;

export interface ChildOptions {
  /** For messages: `database`, `Temporal server`. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  logFile: string;
  /** Polled until it resolves to true: the child is usable. */
  isReady(): Promise<boolean>;
  readyTimeoutMs: number;
  say: Say;
}

/** A child that is restarted, with the same arguments, if it ends by itself. */
export interface SupervisedChild {
  name: string;
  pid(): number | undefined;
  /** Sends SIGTERM, then SIGKILL after `graceMs`. Resolves when the process has ended. */
  stop(graceMs: number): Promise<void>;
  restart(graceMs: number): Promise<void>;
}

function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > KEPT_LOG_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** Starts a command that ends with us, including its own children. `output` receives its stdout and stderr. */
export function spawnWatched(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; output: number | 'pipe' },
): ChildProcess {
  const child = spawn('sh', ['-c', WATCHED, command, ...args], {
    // Its own process group: Ctrl-C reaches only us, and we stop the children in order.
    detached: true,
    env: options.env ?? process.env,
    stdio: ['ignore', options.output, options.output, 'pipe'],
  });
  child.once('exit', () => releaseWatcher(child));
  return child;
}

function launch({ command, args, env, logFile }: ChildOptions): ChildProcess {
  const log = openLog(logFile);
  try {
    return spawnWatched(command, args, { output: log, ...(env ? { env } : {}) });
  } finally {
    closeSync(log);
  }
}

function releaseWatcher(child: ChildProcess): void {
  const pipe = child.stdio[3] as Writable | null | undefined;
  pipe?.on('error', () => undefined);
  pipe?.end('ended\n');
}

function lastLines(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
}

function describeEnd(child: ChildProcess): string {
  return child.signalCode === null ? `exit code ${child.exitCode}` : child.signalCode;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function waitUntilReady(child: ChildProcess, options: ChildOptions): Promise<void> {
  const deadline = Date.now() + options.readyTimeoutMs;
  while (!(await options.isReady())) {
    if (hasEnded(child)) {
      throw new Error(`The ${options.name} ended (${describeEnd(child)}) at its start:\n${lastLines(options.logFile)}`);
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The ${options.name} was not ready after ${options.readyTimeoutMs / 1_000} s:\n${lastLines(options.logFile)}`,
      );
    }
    await sleep(30);
  }
}

/** Starts a child and resolves when it is ready. Otherwise rejects with the last lines of its log. */
export async function startChild(options: ChildOptions): Promise<SupervisedChild> {
  const { name, say } = options;
  const stopping = new AbortController();
  let isUp = false;
  let pause = FIRST_PAUSE_MS;
  let current = begin();

  function begin(): ChildProcess {
    const child = launch(options);
    const startedAt = Date.now();
    child.once('error', (error) => say(`The ${name} could not be started: ${error.message}`));
    child.once('exit', () => {
      if (!stopping.signal.aborted && isUp) void beginAgain(child, startedAt);
    });
    return child;
  }

  async function beginAgain(ended: ChildProcess, startedAt: number): Promise<void> {
    if (Date.now() - startedAt > SETTLED_MS) pause = FIRST_PAUSE_MS;
    say(`The ${name} ended (${describeEnd(ended)}), log: ${options.logFile}; it starts again in ${pause} ms`);
    const waited = await sleep(pause, true, { signal: stopping.signal }).catch(() => false);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
    if (waited) current = begin();
  }

  function stop(graceMs: number): Promise<void> {
    stopping.abort();
    return end(graceMs);
  }

  async function end(graceMs: number): Promise<void> {
    const child = current;
    if (hasEnded(child) || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(force);
  }

  try {
    await waitUntilReady(current, options);
    isUp = true;
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { name, pid: () => current.pid, stop, restart: end };
}
