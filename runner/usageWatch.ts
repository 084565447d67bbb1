import { type ProcessUsage, processUsage } from './processUsage.ts';

const MEBIBYTE = 1_048_576;
/** While calls run. Allocating faster than this is also stopped by --max-old-space-size, except for buffers. */
const BUSY_MS = 50;
const IDLE_MS = 1_000;
/** Processor time of an idle second. Code that continues after its call is a bug or an attack. */
const MAX_IDLE_CPU_MS = 500;

export type Excess = 'memory' | 'idleWork';

/** Watches a fenced process from outside, and reports the first excess. */
export class UsageWatch {
  readonly #pid: number;
  readonly #maxRssBytes: number;
  readonly #isBusy: () => boolean;
  readonly #report: (excess: Excess) => void;
  #timer: NodeJS.Timeout | undefined;
  #idle: { at: number; cpuMs: number } | undefined;
  #isOver = false;

  private constructor(pid: number, maxRssBytes: number, isBusy: () => boolean, report: (excess: Excess) => void) {
    this.#pid = pid;
    this.#maxRssBytes = maxRssBytes;
    this.#isBusy = isBusy;
    this.#report = report;
    this.#plan();
  }

  /** Memory counts beyond that of the process now, before it has loaded any code. */
  static async begin(
    pid: number,
    memoryMb: number,
    isBusy: () => boolean,
    report: (excess: Excess) => void,
  ): Promise<UsageWatch> {
    const atStart = (await processUsage(pid))?.rssBytes ?? 0;
    return new UsageWatch(pid, atStart + memoryMb * MEBIBYTE, isBusy, report);
  }

  /** A call begins: looks again soon. */
  wake(): void {
    this.#idle = undefined;
    this.#plan();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#timer = setTimeout(() => void this.#look(), this.#isBusy() ? BUSY_MS : IDLE_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const usage = await processUsage(this.#pid);
    if (this.#isOver || usage === undefined) return;
    const excess = this.#excessOf(usage);
    if (excess) this.#report(excess);
    else this.#plan();
  }

  #excessOf({ rssBytes, cpuMs }: ProcessUsage): Excess | undefined {
    if (rssBytes > this.#maxRssBytes) return 'memory';
    if (this.#isBusy()) this.#idle = undefined;
    else {
      const now = Date.now();
      const { at, cpuMs: before } = this.#idle ?? { at: now, cpuMs };
      this.#idle = { at: now, cpuMs };
      if (now - at > 0 && (cpuMs - before) / (now - at) > MAX_IDLE_CPU_MS / IDLE_MS) return 'idleWork';
    }
    return undefined;
  }
}
