/** Runs a read once it is its turn. */
export type Reading = <T>(read: () => Promise<T>) => Promise<T>;

export interface Line {
  /** Calls that wait at once. They share the places of the line by the same rule. */
  waiting: number;
  /** The longest wait of each. */
  patienceMs: number;
}

type Answer = (hasPlace: boolean) => void;

/**
 * Places that workspaces share. A workspace gets one more while it holds fewer places than are free (the dynamic
 * threshold of Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998): a single workspace takes at most
 * half, several take smaller parts, and a workspace without a place finds one while any is free.
 *
 * A free place goes to the waiting workspace that holds the fewest; if several do, they take turns, so a long line of one
 * workspace does not delay the others.
 */
export class FairPlaces {
  readonly #held = new Map<string, number>();
  #free: number;
  /** Waiting calls by workspace; the workspace whose turn is next comes first. */
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

  /** Takes a place, now or after a wait. False: the line has no room, the wait was too long, or `signal` was aborted. */
  enter(workspaceId: string, signal?: AbortSignal): boolean | Promise<boolean> {
    if (signal?.aborted) return false;
    if (this.tryEnter(workspaceId)) return true;
    if (!this.#line) return this.#wait(workspaceId, signal);
    if (!this.#line.tryEnter(workspaceId)) return false;
    return this.#wait(workspaceId, signal).finally(() => this.#line?.leave(workspaceId));
  }

  /** Gives a place back: the next waiting call gets it. */
  leave(workspaceId: string): void {
    if (this.#isOpen) return;
    const left = this.held(workspaceId) - 1;
    if (left > 0) this.#held.set(workspaceId, left);
    else this.#held.delete(workspaceId);
    this.#free += 1;
    while (this.#admitNext());
  }

  /** Lets everybody in, now and from now on. */
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

  /** Whether a waiting call got a place. */
  #admitNext(): boolean {
    const next = this.#next();
    if (next === undefined || !this.tryEnter(next)) return false;
    const [first, ...others] = this.#waiting.get(next) ?? [];
    this.#waiting.delete(next);
    // Behind the other workspaces.
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
