/**
 * Places that workspaces share. One gets one more while it holds fewer than are free (the dynamic threshold of Choudhury
 * and Hahne, IEEE/ACM Transactions on Networking 6, 1998): one that is alone takes half of them, several take smaller
 * and smaller parts, and who holds none always finds one while any is free.
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
