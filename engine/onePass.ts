import { outsideWork } from './tracing/work.ts';

/** Runs one pass at a time; requests during a pass cause one further pass. */
export class OnePass {
  readonly #work: () => Promise<void>;
  readonly #whenIdle: () => void;
  #running: Promise<void> | undefined;
  #again = false;
  #isStopped = false;

  /** `work` never rejects; `whenIdle` is called when no further pass is requested. */
  constructor(work: () => Promise<void>, whenIdle: () => void = () => undefined) {
    this.#work = work;
    this.#whenIdle = whenIdle;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#again = true;
    this.#running ??= outsideWork(() => this.#passes());
  }

  /** Resolves when the running pass has ended. No other one begins. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #passes(): Promise<void> {
    while (this.#again && !this.#isStopped) {
      this.#again = false;
      await this.#work();
    }
    this.#running = undefined;
    this.#whenIdle();
  }
}
