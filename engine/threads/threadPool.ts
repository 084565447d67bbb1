import { setTimeout as delay } from 'node:timers';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { FairPlaces } from '../fairness/fairPlaces.ts';

/** Grace time before the thread is terminated: a long call of a built-in cannot be interrupted. */
const DEFAULT_GRACE_MS = 250;

export interface ThreadPoolOptions {
  most: number;
  /** The compiled module of a thread. It sends `ready` first, then answers each message with one. */
  entry: string;
  data?: unknown;
  resourceLimits: ResourceLimits;
  /** Extra time in which a thread may still report itself that its time is over. */
  graceMs?: number;
}

export interface ThreadCall {
  /** Workspaces take turns. */
  workspaceId: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Added to each task: an Int32 that is set to 1 when the caller gives up, for threads that read it. */
export interface Stoppable {
  stop: SharedArrayBuffer;
}

interface Waiting<Task, Answer> {
  task: Task;
  call: ThreadCall;
  resolve(answer: Answer | 'outOfTime'): void;
  reject(reason: unknown): void;
}

interface Thread {
  worker: Worker;
  ready: Promise<unknown>;
}

/**
 * A thread that exceeds its time is terminated; one that exceeds its memory ends alone. There are twice as many places
 * as threads: one workspace uses all threads, and a second one waits only for running tasks.
 */
export class ThreadPool<Task extends object, Answer> {
  readonly #options: ThreadPoolOptions;
  readonly #idle: Thread[] = [];
  readonly #queue: Waiting<Task, Answer>[] = [];
  readonly #places: FairPlaces;
  #count = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#places = new FairPlaces(2 * options.most);
  }

  /** Rejects with the signal's reason when it is aborted, and when a thread dies or cannot be created. */
  async run(task: Task, call: ThreadCall): Promise<Answer | 'outOfTime'> {
    const { workspaceId, signal } = call;
    if (!(await this.#places.enter(workspaceId, signal))) throw signal.reason;
    try {
      return await this.#run(task, call);
    } finally {
      this.#places.leave(workspaceId);
    }
  }

  #run(task: Task, call: ThreadCall): Promise<Answer | 'outOfTime'> {
    const { signal } = call;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = this.#queue.indexOf(waiting);
        if (place === -1) return;
        this.#queue.splice(place, 1);
        reject(signal.reason);
      };
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener('abort', leave);
          settle(value);
        };
      const waiting = { task, call, resolve: settled(resolve), reject: settled(reject) };
      this.#queue.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
      this.#next();
    });
  }

  #next(): void {
    const { most } = this.#options;
    const thread = this.#idle.pop() ?? (this.#queue.length > 0 && this.#count < most ? this.#make() : undefined);
    if (thread === undefined) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) this.#idle.push(thread);
    else void this.#serve(thread, waiting);
  }

  #make(): Thread {
    this.#count += 1;
    const { entry, data, resourceLimits } = this.#options;
    const worker = new Worker(entry, {
      workerData: data,
      // The thread must not see the process's environment.
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits,
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

  async #serve(thread: Thread, { task, call, resolve, reject }: Waiting<Task, Answer>): Promise<void> {
    const { signal } = call;
    thread.worker.ref();
    try {
      await thread.ready;
      const answer = await answerOf<Task, Answer>(thread.worker, task, call, this.#options.graceMs ?? DEFAULT_GRACE_MS);
      if (answer === 'ended') {
        this.#end(thread);
        if (signal.aborted) reject(signal.reason);
        else resolve('outOfTime');
      } else {
        thread.worker.unref();
        this.#idle.push(thread);
        if (signal.aborted) reject(signal.reason);
        else resolve(answer.value);
      }
    } catch (error) {
      this.#end(thread);
      reject(error);
    }
    this.#next();
  }

  /** Frees its place once the thread has ended, after any long call of a built-in. */
  #end({ worker }: Thread): void {
    const gone = () => {
      this.#count -= 1;
      this.#next();
    };
    worker.terminate().then(gone, gone);
  }
}

/** `ended`: it ignores its time or the signal. Rejects when the thread dies. */
function answerOf<Task extends object, Answer>(
  worker: Worker,
  task: Task,
  { timeoutMs, signal }: ThreadCall,
  graceMs: number,
): Promise<{ value: Answer } | 'ended'> {
  const stop = new SharedArrayBuffer(4);
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    // One turn of the loop later: the answer may have come while this process was busy.
    const giveUp = () => setImmediate(() => settle(() => resolve('ended')));
    const wait = (ms: number) => timers.push(delay(giveUp, ms));
    const stopNow = () => {
      Atomics.store(new Int32Array(stop), 0, 1);
      wait(graceMs);
    };
    const onMessage = (value: Answer) => settle(() => resolve({ value }));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The thread has ended')));
    const settle = (how: () => void) => {
      for (const timer of timers) clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', stopNow);
      how();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    wait(timeoutMs + graceMs);
    signal.addEventListener('abort', stopNow, { once: true });
    if (signal.aborted) stopNow();
    worker.postMessage({ ...task, stop } satisfies Stoppable);
  });
}
