/** A key for the form of each node: it stays with the node when its id becomes another one, so that the form does, and its focus. */
export class FormKeys {
  readonly #keys = new Map<string, number>();
  #last = 0;

  of(id: string): number {
    const key = this.#keys.get(id);
    if (key !== undefined) return key;
    this.#last += 1;
    this.#keys.set(id, this.#last);
    return this.#last;
  }

  rename(from: string, to: string): void {
    const key = this.of(from);
    this.#keys.delete(from);
    this.#keys.set(to, key);
  }
}
