interface Waiting<Item> {
  item: Item;
  written: () => void;
  failed: (error: unknown) => void;
}

const MAX_ENTRIES = 500;

/** Combines entries that arrive while a statement runs into the next statement. */
export class CombinedWrites<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing: Promise<void> | undefined;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  add(item: Item): Promise<void> {
    return new Promise((written, failed) => {
      this.#waiting.push({ item, written, failed });
      this.#writing ??= this.#writeAll();
    });
  }

  async idle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_ENTRIES);
      try {
        await this.#write(batch.map(({ item }) => item));
        for (const { written } of batch) written();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#writing = undefined;
  }
}
