interface Waiting<Item> {
  item: Item;
  written: () => void;
  failed: (error: unknown) => void;
}

/** What one statement takes. */
const MOST = 500;

/** Writes things together: what comes while a statement is under way goes with the next one, so that many cost few statements. */
export class Gathered<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing: Promise<void> | undefined;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it is written; rejects with what the statement failed with. */
  add(item: Item): Promise<void> {
    return new Promise((written, failed) => {
      this.#waiting.push({ item, written, failed });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when all that was added is written, or has failed. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What the same turn of the event loop adds goes together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST);
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
