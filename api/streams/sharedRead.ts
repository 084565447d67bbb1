/** Shares one read among simultaneous callers. The read begins after the call, so it sees every earlier change. */
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
