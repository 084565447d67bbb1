import { setTimeout as sleep } from 'node:timers/promises';
import type { Say } from './say.ts';

/** npm forwards a terminal's Ctrl-C, which we also get directly: only a later signal counts as a second one. */
const ECHO_MS = 700;
const PARENT_CHECK_MS = 500;
const ALL_MS = 9_500;

type Stop = () => Promise<void>;

/** Stops the started parts, newest first, within 10 s. If this fails, child processes still end with this one. */
export class Shutdown {
  readonly #say: Say;
  readonly #stops: Stop[] = [];
  #startedAt: number | undefined;

  constructor(say: Say) {
    this.#say = say;
  }

  add(stop: Stop): void {
    this.#stops.push(stop);
  }

  listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.#startedAt === undefined) void this.end(0, `${signal}: finishing what runs …`);
        else if (Date.now() - this.#startedAt > ECHO_MS) process.exit(130);
      });
    }
  }

  /** For `npm start`: npm may be killed without forwarding a signal. */
  endWithParent(): void {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) void this.end(0, 'the parent process is gone: finishing what runs …');
    }, PARENT_CHECK_MS).unref();
  }

  async end(exitCode: number, why: string): Promise<void> {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = Date.now();
    this.#say(why);
    // A hanging worker must not delay the exit.
    void sleep(ALL_MS).then(() => process.exit(1));
    let code = exitCode;
    for (const stop of this.#stops.toReversed()) {
      await stop().catch((error: Error) => {
        code = 1;
        this.#say(`could not stop cleanly: ${error.message}`);
      });
    }
    this.#say(`stopped in ${((Date.now() - this.#startedAt) / 1_000).toFixed(1)} s`);
    process.exit(code);
  }
}
