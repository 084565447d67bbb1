import type { ConsoleLine } from './stepRecord.ts';

const MAX_LINES = 1_000;

/** The lines of a call, up to a limit. The last one reports dropped lines. */
export class ConsoleLines {
  readonly taken: ConsoleLine[] = [];
  limit = 0;
  #bytes = 0;
  #full = false;

  /** Returns false for a line that is dropped. */
  add(level: ConsoleLine['level'], text: string): boolean {
    if (this.#full) return false;
    this.#bytes += Buffer.byteLength(text);
    this.#full = this.#bytes > this.limit || this.taken.length >= MAX_LINES;
    if (this.#full) this.taken.push({ level: 'warn', text: 'The console is full: later lines are dropped.' });
    else this.taken.push({ level, text });
    return true;
  }
}
