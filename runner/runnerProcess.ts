import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConsoleLines } from '../domain/execution/consoleLines.ts';
import type { ConsoleLine } from '../domain/execution/stepRecord.ts';
import type { Egress } from './egress.ts';
import { FrameReader, frameOf } from './fence/frames.ts';
import type { GuestMember, ThrownError, ToFence } from './fence/messages.ts';
import { FENCE_FOLDER, fenceArguments, fenceEnvironment, MAX_FRAME_BYTES } from './fenceCommand.ts';
import { type FenceMessage, readFenceMessage } from './fenceMessage.ts';
import { UsageWatch } from './usageWatch.ts';

export interface RunnerLimits {
  /** Resident memory beyond the start. */
  memoryMb: number;
  maxOutputBytes: number;
  maxConsoleBytes: number;
}

/** Opens a connection that the fenced code asks for, or throws an error that the code gets. */
export type Dial = (host: string, port: number) => Promise<Socket>;

export type CallEnd = (
  | { kind: 'returned'; output: string }
  | { kind: 'threw'; error: ThrownError }
  /** The process ended with the call in it. */
  | { kind: 'lost'; reason: LossReason }
) & { console: ConsoleLine[] };

/** `stopped`: for the sake of another call, or of the worker. `late`: its code was not loaded in time. */
export type LossReason = 'ended' | 'late' | 'memory' | 'protocol' | 'stopped';

interface Running {
  lines: ConsoleLines;
  settle: (end: CallEnd) => void;
}

export class NotLoaded extends Error {}

const WHY_NOT_LOADED: Partial<Record<LossReason, (limits: RunnerLimits) => string>> = {
  late: () => `it is not loaded within ${START_MS / 1_000} seconds`,
  memory: ({ memoryMb }) => `it needs more than ${memoryMb} MiB of memory`,
};

/** Added to the limit of outputs, for the frame around one, and for a bundle on its way in. */
const FRAME_MARGIN_BYTES = 65_536;
const MAX_CONNECTIONS = 200;
/** Lines beyond the limit, and ends of calls that do not run. A flood of them is an attack on the worker. */
const MAX_USELESS_MESSAGES = 100_000;
const START_MS = 30_000;
/** Between the `signal` of a cancelled call and the end of the process. */
const CANCEL_GRACE_MS = 300;

const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** One fenced child process with the code of one app. Several calls may run in it at a time. */
export class RunnerProcess {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #limits: RunnerLimits;
  readonly #egress: Egress;
  readonly #dial: Dial;
  readonly #running = new Map<number, Running>();
  #connections = 0;
  #useless = 0;
  /** The ends of cancelled calls. */
  #cancelled: Promise<unknown> | undefined;
  readonly #ready: Promise<void>;
  #watch: UsageWatch | undefined;
  #heard: ((message: 'ready' | 'loaded' | Error) => void) | undefined;
  #calls = 0;
  #loss: LossReason = 'ended';
  #hasEnded = false;
  #isLoading = true;
  readonly ended: Promise<void>;

  private constructor(egress: Egress, egressPort: number, limits: RunnerLimits, dial: Dial) {
    this.#egress = egress;
    this.#limits = limits;
    this.#dial = dial;
    this.#child = spawn('/bin/sh', fenceArguments(limits, egressPort), {
      cwd: FENCE_FOLDER,
      env: fenceEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    alive.add(this.#child);
    this.#channel = this.#child.stdio[3] as Duplex;
    this.#channel.on('error', () => this.kill('ended'));
    const reader = new FrameReader(limits.maxOutputBytes * 2 + FRAME_MARGIN_BYTES);
    this.#channel.on('data', (chunk: Buffer) => this.#received(reader, chunk));
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.#end();
        resolve();
      };
      this.#child.once('error', end);
      this.#child.once('exit', end);
    });
    this.#child.setMaxListeners(0);
    this.#ready = this.#next('ready');
  }

  /** Throws NotLoaded with what the code threw while it was loaded. */
  static async start(
    { code, file }: { code: string; file: string },
    { egress, limits, dial, signal }: { egress: Egress; limits: RunnerLimits; dial: Dial; signal?: AbortSignal },
  ): Promise<RunnerProcess> {
    const made = new RunnerProcess(egress, await egress.port(), limits, dial);
    const late = setTimeout(() => made.kill('late'), START_MS);
    signal?.addEventListener('abort', () => made.kill('stopped'), { once: true });
    if (signal?.aborted) made.kill('stopped');
    let isReady = false;
    try {
      await made.#ready;
      isReady = true;
      made.#watch = await UsageWatch.begin(
        made.#child.pid ?? 0,
        limits.memoryMb,
        () => made.#isLoading || made.#running.size > 0,
        (excess) => made.kill(excess === 'memory' ? 'memory' : 'stopped'),
      );
      const loaded = made.#next('loaded');
      const { maxConsoleBytes, maxOutputBytes } = limits;
      if (!made.#send({ kind: 'load', code, file, maxConsoleBytes, maxOutputBytes })) {
        throw new NotLoaded(`it has more than ${MAX_FRAME_BYTES} bytes`);
      }
      await loaded;
      made.#isLoading = false;
    } catch (error) {
      made.kill('ended');
      // Before it is ready, the machine is slow and not the code.
      const why = isReady && !(error instanceof NotLoaded) ? WHY_NOT_LOADED[made.#loss]?.(limits) : undefined;
      throw why === undefined ? error : new NotLoaded(why);
    } finally {
      clearTimeout(late);
    }
    return made;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * An abort reaches the code as `signal`. If the call has not ended soon after it, the process is killed, with all
   * calls in it. Returns undefined, without a call, if the process has ended.
   */
  async call(member: GuestMember, parameters: unknown[], signal: AbortSignal): Promise<CallEnd | undefined> {
    const lines = new ConsoleLines();
    lines.limit = this.#limits.maxConsoleBytes;
    // A call that hangs would take the new one with it.
    await this.#cancelled;
    // A killed process has not ended yet when its next call arrives.
    if (this.#hasEnded || this.#child.killed) {
      await this.ended;
      return undefined;
    }
    this.#calls += 1;
    const id = this.#calls;
    let late: NodeJS.Timeout | undefined;
    let settled: Promise<unknown> | undefined;
    const cancel = () => {
      this.#send({ kind: 'cancel', id });
      this.#cancelled = Promise.allSettled([this.#cancelled, settled]);
      late = setTimeout(() => this.kill('stopped'), CANCEL_GRACE_MS);
    };
    try {
      const end = new Promise<CallEnd>((settle) => {
        this.#running.set(id, { lines, settle });
        this.#watch?.wake();
        if (this.#send({ kind: 'call', id, member, parameters })) return;
        const error = { code: 'INVALID_INPUT', message: `The inputs have more than ${MAX_FRAME_BYTES} bytes` };
        settle({ kind: 'threw', error, console: [] });
      });
      settled = end;
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
      return await end;
    } finally {
      this.#running.delete(id);
      signal.removeEventListener('abort', cancel);
      clearTimeout(late);
    }
  }

  kill(reason: LossReason): void {
    if (this.#hasEnded || this.#child.killed) return;
    this.#loss = reason;
    this.#child.kill('SIGKILL');
  }

  /** False for a message that the process would not read. */
  #send(message: ToFence): boolean {
    const frame = frameOf(message);
    if (frame.length > MAX_FRAME_BYTES) return false;
    if (!this.#hasEnded) this.#channel.write(frame);
    return true;
  }

  #next(awaited: 'ready' | 'loaded'): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#heard = (message) => {
        if (message === awaited) resolve();
        else if (message instanceof Error) reject(message);
      };
    });
  }

  #received(reader: FrameReader, chunk: Buffer): void {
    if (this.#child.killed) return;
    try {
      for (const each of reader.push(chunk)) this.#take(each);
    } catch {
      this.kill('protocol');
    }
  }

  #take(value: unknown): void {
    const message = readFenceMessage(value);
    if (message === undefined) {
      this.kill('protocol');
      return;
    }
    switch (message.kind) {
      case 'started':
        break;
      case 'ready':
      case 'loaded':
        this.#heard?.(message.kind);
        break;
      case 'notLoaded':
        this.#heard?.(new NotLoaded(message.message));
        break;
      case 'open':
        void this.#open(message.id, message.host, message.port);
        break;
      default:
        this.#takeOfCall(message);
    }
  }

  #takeOfCall(message: Extract<FenceMessage, { kind: 'line' | 'returned' | 'threw' }>): void {
    const call = this.#running.get(message.id);
    if (message.kind === 'line' && call?.lines.add(message.line.level, message.line.text)) return;
    if (message.kind === 'line' || call === undefined) {
      this.#useless += 1;
      if (this.#useless > MAX_USELESS_MESSAGES) this.kill('protocol');
      return;
    }
    this.#running.delete(message.id);
    const { lines } = call;
    if (message.kind === 'threw') call.settle({ kind: 'threw', error: message.error, console: lines.taken });
    else call.settle({ kind: 'returned', output: message.output, console: lines.taken });
  }

  async #open(id: number, host: string, port: number): Promise<unknown> {
    try {
      if (this.#running.size === 0) throw new Error('Connections can only be opened during a call');
      if (this.#connections >= MAX_CONNECTIONS) throw new Error(`More than ${MAX_CONNECTIONS} connections are open`);
      this.#connections += 1;
      const socket = await this.#dial(host, port).catch((error: unknown) => {
        this.#connections -= 1;
        throw error;
      });
      const close = () => socket.destroy();
      socket.once('close', () => {
        this.#connections -= 1;
        this.#child.off('exit', close);
      });
      if (this.#hasEnded) return close();
      this.#child.once('exit', close);
      this.#send({ kind: 'opened', id, ticket: this.#egress.offer(socket) });
    } catch (error) {
      const { code = 'ERR_ACCESS_DENIED', message } = error as NodeJS.ErrnoException;
      this.#send({ kind: 'refused', id, code, message });
    }
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    alive.delete(this.#child);
    this.#watch?.end();
    this.#channel.destroy();
    this.#heard?.(new Error('The process of the runner ended while it started'));
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const { lines, settle } of running) settle({ kind: 'lost', reason: this.#loss, console: lines.taken });
  }
}
