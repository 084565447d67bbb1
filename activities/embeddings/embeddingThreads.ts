import { Worker } from 'node:worker_threads';
import { compiledBeside } from '../../projectRoot.ts';
import type { ThreadAnswer, ThreadTask } from './threadMessages.ts';

interface Waiting {
  task: ThreadTask;
  /** The task no longer waits and will not be interrupted. */
  begun(): void;
  resolve(answer: ThreadAnswer): void;
  reject(reason: unknown): void;
}

/** Too many tasks wait for the threads of this process. */
export class ThreadsBusy extends Error {}

/** Threads are created when needed, then reused for one task at a time. Urgent tasks come first. */
export class EmbeddingThreads {
  readonly #most: number;
  readonly #maxWaiting: number;
  readonly #idle: Worker[] = [];
  readonly #urgent: Waiting[] = [];
  readonly #queue: Waiting[] = [];
  #count = 0;

  /** Rejects tasks beyond `maxWaiting`, counted separately for urgent and other tasks. Callers try again later. */
  constructor(most: number, maxWaiting: number) {
    this.#most = most;
    this.#maxWaiting = maxWaiting;
  }

  /** Rejects with the signal's reason only while the task waits, with ThreadsBusy, or if the thread dies. */
  run(task: ThreadTask, { isUrgent = false, signal }: { isUrgent?: boolean; signal?: AbortSignal | undefined } = {}) {
    signal?.throwIfAborted();
    const queue = isUrgent ? this.#urgent : this.#queue;
    if (queue.length >= this.#maxWaiting) throw new ThreadsBusy('Too much waits for the local encoder');
    return new Promise<ThreadAnswer>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting: Waiting = { task, resolve, reject, begun: () => signal?.removeEventListener('abort', leave) };
      queue.push(waiting);
      signal?.addEventListener('abort', leave, { once: true });
      this.#next();
    });
  }

  #next(): void {
    const isAnyWaiting = this.#urgent.length + this.#queue.length > 0;
    if (!isAnyWaiting) return;
    const thread = this.#idle.pop() ?? (this.#count < this.#most ? this.#make() : undefined);
    const waiting = thread && (this.#urgent.shift() ?? this.#queue.shift());
    if (thread && waiting) void this.#serve(thread, waiting);
  }

  #make(): Worker {
    this.#count += 1;
    const worker = new Worker(compiledBeside(import.meta.url, 'embeddingThread.js'), {
      env: {},
      argv: [],
      execArgv: [],
    });
    worker.unref();
    worker.on('error', () => undefined);
    return worker;
  }

  async #serve(thread: Worker, { task, begun, resolve, reject }: Waiting): Promise<void> {
    begun();
    thread.ref();
    try {
      const answer = await answerOf(thread, task);
      // Its encoder may be permanently broken: its backend has failed at its start before, and then in each call.
      if (answer.kind === 'failed') this.#drop(thread);
      else {
        thread.unref();
        this.#idle.push(thread);
      }
      resolve(answer);
    } catch (error) {
      this.#drop(thread);
      reject(error);
    }
    this.#next();
  }

  #drop(thread: Worker): void {
    this.#count -= 1;
    void thread.terminate();
  }
}

function answerOf(thread: Worker, task: ThreadTask): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      how();
    };
    const onMessage = (answer: ThreadAnswer) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The thread of the encoder has ended')));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(task);
  });
}
