import { setTimeout as delay } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { FairGate } from '../../../engine/fairness/fairGate.ts';
import { compiledBeside } from '../../../projectRoot.ts';
import type { GuestAnswer, GuestTask, GuestThreadData } from './guestMessages.ts';

/** Grace time beyond the limit before the thread is terminated: a long call of a built-in cannot be interrupted. */
const GRACE_MS = 250;

export type PooledTask = Omit<GuestTask, 'stop'>;

interface Waiting {
  task: PooledTask;
  signal: AbortSignal;
  resolve(answer: GuestAnswer): void;
  reject(reason: unknown): void;
}

interface Thread {
  worker: Worker;
  ready: Promise<unknown>;
}

/**
 * A pool of threads, each for one run at a time, created on demand. Workspaces share twice as many places as there are
 * threads: a single workspace uses all threads, and a second one waits only for running calls, never for waiting calls
 * of the first.
 */
export class GuestPool {
  readonly #most: number;
  readonly #data: GuestThreadData;
  readonly #idle: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #places: FairGate;
  #count = 0;

  constructor(most: number, data: GuestThreadData) {
    this.#most = most;
    this.#data = data;
    this.#places = new FairGate(2 * most);
  }

  /** Rejects with the signal's reason when it is aborted, and when a thread cannot be made. */
  async run(workspaceId: string, task: PooledTask, signal: AbortSignal): Promise<GuestAnswer> {
    await this.#places.enter(workspaceId, signal);
    try {
      return await this.#run(task, signal);
    } finally {
      this.#places.leave(workspaceId);
    }
  }

  #run(task: PooledTask, signal: AbortSignal): Promise<GuestAnswer> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { task, signal, resolve, reject };
      this.#queue.push(waiting);
      const leave = () => {
        const place = this.#queue.indexOf(waiting);
        if (place === -1) return;
        this.#queue.splice(place, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#next();
    });
  }

  #next(): void {
    const thread = this.#idle.pop() ?? (this.#queue.length > 0 && this.#count < this.#most ? this.#make() : undefined);
    if (thread === undefined) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) this.#idle.push(thread);
    else void this.#serve(thread, waiting);
  }

  #make(): Thread {
    this.#count += 1;
    const worker = new Worker(compiledBeside(import.meta.url, 'guestThread.js'), {
      workerData: this.#data,
      // Nothing of the process is the guest's business, should it ever get out of its engine.
      env: {},
      argv: [],
      execArgv: [],
      // The engine's stack limit is to be met first, V8's not.
      resourceLimits: { maxOldGenerationSizeMb: 64, stackSizeMb: 8 },
    });
    worker.unref();
    const ready = new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    // The waiting caller gets the error.
    ready.catch(() => undefined);
    worker.on('error', () => undefined);
    return { worker, ready };
  }

  async #serve(thread: Thread, { task, signal, resolve, reject }: Waiting): Promise<void> {
    thread.worker.ref();
    try {
      await thread.ready;
      const answer = await answerOf(thread.worker, task, signal);
      if (answer === 'ended') {
        this.#end(thread);
        if (signal.aborted) reject(signal.reason);
        else resolve({ kind: 'outOfTime', console: [] });
      } else {
        thread.worker.unref();
        this.#idle.push(thread);
        if (answer.kind === 'stopped') reject(signal.reason);
        else resolve(answer);
      }
    } catch (error) {
      this.#end(thread);
      reject(error);
    }
    this.#next();
  }

  #end({ worker }: Thread): void {
    this.#count -= 1;
    void worker.terminate();
  }
}

/** `ended`: it does not heed its time, or the signal. Rejects when the thread dies. */
function answerOf(worker: Worker, task: PooledTask, signal: AbortSignal): Promise<GuestAnswer | 'ended'> {
  const stop = new SharedArrayBuffer(4);
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    // One turn of the loop later: the answer may have come while this process was busy.
    const giveUp = () => setImmediate(() => settle(() => resolve('ended')));
    const wait = (ms: number) => timers.push(delay(giveUp, ms));
    const stopNow = () => {
      Atomics.store(new Int32Array(stop), 0, 1);
      wait(GRACE_MS);
    };
    const onMessage = (answer: GuestAnswer) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The thread of the code has ended')));
    const settle = (how: () => void) => {
      for (const timer of timers) clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', stopNow);
      how();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    wait(task.timeoutMs + GRACE_MS);
    signal.addEventListener('abort', stopNow, { once: true });
    if (signal.aborted) stopNow();
    worker.postMessage({ ...task, stop });
  });
}
