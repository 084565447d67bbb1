export type Reading = <T>(read: () => Promise<T>) => Promise<T>;

export interface Line {
  /** Maximum waiting calls. They share the line's places by the same rule. */
  waiting: number;
  patienceMs: number;
}

type Answer = (hasPlace: boolean) => void;

/**
 * Places that workspaces share. A workspace gets one more while it holds fewer than are free (the dynamic threshold of
 * Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998): one workspace takes at most half, and one without
 * a place finds one while any is free. A free place goes to the waiting workspace that holds the fewest; ties take
 * turns.
 */
export class FairPlaces {
  readonly #held = new Map<string, number>();
  #free: number;
  /** Waiting calls by workspace; the first workspace is the next one. */
  readonly #waiting = new Map<string, Answer[]>();
  readonly #line: FairPlaces | undefined;
  readonly #patienceMs: number | undefined;
  #isOpen = false;

  /** Without `line`, any number of calls waits for any time. */
  constructor(places: number, line?: Line) {
    this.#free = places;
    this.#line = line && new FairPlaces(line.waiting);
    this.#patienceMs = line?.patienceMs;
  }

  held(workspaceId: string): number {
    return this.#held.get(workspaceId) ?? 0;
  }

  /** Takes a place if the workspace may have one now. Call `leave` once for each place taken. */
  tryEnter(workspaceId: string): boolean {
    if (this.#isOpen) return true;
    const held = this.held(workspaceId);
    if (held >= this.#free) return false;
    this.#held.set(workspaceId, held + 1);
    this.#free -= 1;
    return true;
  }

  /** Takes a place, now or after a wait. False: the line is full, the wait was too long, or `signal` was aborted. */
  enter(workspaceId: string, signal?: AbortSignal): boolean | Promise<boolean> {
    if (signal?.aborted) return false;
    if (this.tryEnter(workspaceId)) return true;
    if (!this.#line) return this.#wait(workspaceId, signal);
    if (!this.#line.tryEnter(workspaceId)) return false;
    return this.#wait(workspaceId, signal).finally(() => this.#line?.leave(workspaceId));
  }

  leave(workspaceId: string): void {
    if (this.#isOpen) return;
    const left = this.held(workspaceId) - 1;
    if (left > 0) this.#held.set(workspaceId, left);
    else this.#held.delete(workspaceId);
    this.#free += 1;
    while (this.#admitNext());
  }

  /** Admits all callers from now on. */
  open(): void {
    this.#isOpen = true;
    for (const calls of this.#waiting.values()) for (const answer of calls) answer(true);
    this.#waiting.clear();
  }

  #wait(workspaceId: string, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (hasPlace: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(hasPlace);
      };
      const giveUp = () => {
        const others = this.#waiting.get(workspaceId)?.filter((call) => call !== answer) ?? [];
        if (others.length > 0) this.#waiting.set(workspaceId, others);
        else this.#waiting.delete(workspaceId);
        answer(false);
      };
      const timer = this.#patienceMs === undefined ? undefined : setTimeout(giveUp, this.#patienceMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      const calls = this.#waiting.get(workspaceId);
      if (calls) calls.push(answer);
      else this.#waiting.set(workspaceId, [answer]);
    });
  }

  #admitNext(): boolean {
    const next = this.#next();
    if (next === undefined || !this.tryEnter(next)) return false;
    const [first, ...others] = this.#waiting.get(next) ?? [];
    this.#waiting.delete(next);
    // Moves it behind the other workspaces.
    if (others.length > 0) this.#waiting.set(next, others);
    first?.(true);
    return true;
  }

  #next(): string | undefined {
    let next: string | undefined;
    for (const one of this.#waiting.keys()) if (next === undefined || this.held(one) < this.held(next)) next = one;
    return next;
  }
}
