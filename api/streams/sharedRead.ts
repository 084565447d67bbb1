/**
 * One read for all who ask at the same time, and one at a time. What an asker gets was begun after it asked, so that
 * it shows whatever the asker knew of.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  fresh(): Promise<T> {
    if (!this.#next) {
      this.#next = this.#running.then(() => {
        this.#next = undefined;
        return this.#read();
      });
      this.#running = this.#next.catch(() => undefined);
    }
    return this.#next;
  }
}
