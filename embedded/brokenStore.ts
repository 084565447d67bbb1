import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedChild } from './childProcess.ts';
import type { Say } from './say.ts';

/** SQLite's error for an interrupted query. */
const BROKEN_OFF = 'interrupted (9)';
/** Consecutive failed checks before a restart, so that one interrupted query is not enough. */
const STRIKES = 3;
const GRACE_MS = 5_000;
const READ_BYTES = 65_536;

/**
 * A query that is interrupted at the wrong moment breaks the development server's only connection to SQLite; it then
 * reports that it serves but fails every request (docs/architecture/facts.md). `answers` reads the store.
 */
export function mendBrokenStore(options: {
  child: SupervisedChild;
  logFile: string;
  answers(): Promise<boolean>;
  everyMs: number;
  say: Say;
}): () => void {
  const { child, logFile, answers, everyMs, say } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  void look();
  return () => stopping.abort();

  async function look(): Promise<void> {
    let [at, strikes] = [endOf(logFile), 0];
    let ended: number | undefined;
    while (await sleep(everyMs, true, { signal, ref: false }).catch(() => false)) {
      const { text, end } = readFrom(logFile, at);
      at = end;
      if (ended !== undefined && child.pid() === ended) continue;
      const isBroken = text.includes(BROKEN_OFF) && !(await answers());
      if (signal.aborted) return;
      strikes = isBroken ? strikes + 1 : 0;
      if (strikes < STRIKES) continue;
      strikes = 0;
      ended = child.pid();
      say(`The ${child.name} is running, but its store does not answer; restarting it`);
      await child.restart(GRACE_MS);
    }
  }
}

function endOf(path: string): number {
  return readFrom(path, 0).end;
}

/** Reads the log from `at`, but at most its last READ_BYTES; a rotated file from its beginning. */
function readFrom(path: string, at: number): { text: string; end: number } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = Math.max(at > size ? 0 : at, size - READ_BYTES);
    const bytes = Buffer.alloc(size - from);
    readSync(file, bytes, 0, bytes.length, from);
    return { text: bytes.toString('latin1'), end: size };
  } finally {
    closeSync(file);
  }
}
