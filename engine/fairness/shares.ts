/**
 * Places that workspaces share. A workspace gets one more while it holds fewer places than are free (the dynamic
 * threshold of Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998): a single workspace takes at most
 * half, several take smaller parts, and a workspace without a place finds one while any is free.
 */
export class Shares {
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  held(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** False: no place for this one. */
  take(key: string): boolean {
    const held = this.held(key);
    if (held >= this.#free) return false;
    this.#held.set(key, held + 1);
    this.#free -= 1;
    return true;
  }

  /** Once for each that was taken. */
  giveBack(key: string): void {
    const left = this.held(key) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
    this.#free += 1;
  }
}
