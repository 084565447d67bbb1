import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedChild } from './childProcess.ts';
import type { Say } from './say.ts';

/** SQLite's answer to a query that was broken off. */
const BROKEN_OFF = 'interrupted (9)';
/** So many looks in a row, so that one query that its caller gave up is no reason. */
const STRIKES = 3;
const GRACE_MS = 5_000;
/** Of what was logged since the last look. */
const READ_BYTES = 65_536;

/**
 * A query that is broken off at the wrong moment leaves the development server's one connection to SQLite broken off for good
 * (docs/architecture/facts.md): the process lives, says that it serves, and fails with everything. A new process has a new connection, so it is
 * ended, and started again like one that has ended by itself. `answers` reads the store. Answers how to stop looking.
 */
export function mendBrokenStore(options: {
  child: SupervisedChild;
  /** Of the child. */
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
      // The next one has not begun.
      if (ended !== undefined && child.pid() === ended) continue;
      const isBroken = text.includes(BROKEN_OFF) && !(await answers());
      if (signal.aborted) return;
      strikes = isBroken ? strikes + 1 : 0;
      if (strikes < STRIKES) continue;
      strikes = 0;
      ended = child.pid();
      say(`The ${child.name} lives, and its store answers nothing; it is started again`);
      await child.restart(GRACE_MS);
    }
  }
}

function endOf(path: string): number {
  return readFrom(path, 0).end;
}

/** What stands there from `at` on, the last of much; a new file is read from its beginning. */
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
