import { CancellationScope, sleep } from '@temporalio/workflow';

/** An argument counts twice: in the marker of its read, and in the call. A message to the server has at most 4 MiB. */
const MAX_BYTES = 900_000;

/** Keeps large arguments of calls that begin together in several messages to the server. */
export class TaskBytes {
  #taken = 0;
  #sent: Promise<void> | undefined;

  async take(bytes: number): Promise<void> {
    while (this.#taken > 0 && this.#taken + bytes > MAX_BYTES) await this.#send();
    this.#taken += bytes;
  }

  /** A timer ends the workflow task, so its commands are sent. */
  #send(): Promise<void> {
    this.#sent ??= CancellationScope.nonCancellable(async () => {
      await sleep(1, { summary: 'Sends large arguments' });
      this.#taken = 0;
      this.#sent = undefined;
    });
    return this.#sent;
  }
}
