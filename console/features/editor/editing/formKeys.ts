/** Keys of node forms. A key survives a new node id, so that the form and its focus survive, too. */
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
