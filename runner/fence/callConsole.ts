import { AsyncLocalStorage } from 'node:async_hooks';
import { format, inspect } from 'node:util';
import { replace } from './sealed.ts';

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
export type Level = (typeof LEVELS)[number];
const MAX_LINE = 8_192;
const MAX_LINES = 1_000;

export interface RunningCall {
  id: number;
  abort: AbortController;
}

/** The call to which a line, a promise or a timer belongs. */
export const runningCall = new AsyncLocalStorage<RunningCall>();

/** Sends the lines of a call to the worker, which counts them. Lines outside of calls are dropped. */
export class CallConsole {
  readonly #send: (id: number, level: Level, text: string) => void;
  readonly #written = new Map<number, { bytes: number; lines: number }>();
  maxBytes = 0;

  constructor(send: (id: number, level: Level, text: string) => void) {
    this.#send = send;
    const lines = Object.fromEntries(
      LEVELS.map((level) => [level, (...values: unknown[]) => this.write(level, format(...values))]),
    );
    const more = {
      trace: (...values: unknown[]) => this.write('debug', format(...values)),
      dir: (value: unknown) => this.write('log', inspect(value)),
      assert: (holds: unknown, ...values: unknown[]) => {
        if (!holds) this.write('error', `Assertion failed: ${format(...values)}`);
      },
    };
    const others = Object.getOwnPropertyNames(console).filter((name) => !(name in lines) && !(name in more));
    for (const [name, write] of Object.entries({ ...lines, ...more })) replace(console, name, write);
    for (const name of others) {
      if (typeof (console as unknown as Record<string, unknown>)[name] === 'function')
        replace(console, name, () => undefined);
    }
  }

  write(level: Level, text: string): void {
    const call = runningCall.getStore();
    if (call === undefined) return;
    const written = this.#written.get(call.id) ?? { bytes: 0, lines: 0 };
    // One line more than allowed is sent, so that the worker sees that lines are missing.
    if (written.bytes > this.maxBytes || written.lines > MAX_LINES) return;
    const line = text.slice(0, MAX_LINE);
    this.#written.set(call.id, { bytes: written.bytes + Buffer.byteLength(line), lines: written.lines + 1 });
    this.#send(call.id, level, line);
  }

  forget(id: number): void {
    this.#written.delete(id);
  }
}
