import { outsideWork } from './tracing/work.ts';

/** Work that runs one pass at a time; requests during a pass are served by one further pass. */
export class OnePass {
  readonly #work: () => Promise<void>;
  readonly #whenIdle: () => void;
  #running: Promise<void> | undefined;
  #again = false;
  #isStopped = false;

  /** `work` rejects never; `whenIdle` is called when nothing more is asked for. */
  constructor(work: () => Promise<void>, whenIdle: () => void = () => undefined) {
    this.#work = work;
    this.#whenIdle = whenIdle;
  }

  /** Begins a pass, or requests one more after the running one. */
  wake(): void {
    if (this.#isStopped) return;
    this.#again = true;
    this.#running ??= outsideWork(() => this.#passes());
  }

  /** Resolves when the pass that runs has ended; there is no other one. */
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
