import importedVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { ConsoleLines } from '../../../domain/execution/consoleLines.ts';
import { CONSOLE_LEVELS, type ConsoleLine } from '../../../domain/execution/stepRecord.ts';
import type { GuestAnswer, GuestEnd, GuestTask } from './guestMessages.ts';
import { GUEST_PRELUDE } from './guestPrelude.ts';

const variant = importedVariant as unknown as QuickJSSyncVariant;

const MEBIBYTE = 1_048_576;
const PAGE_BYTES = 65_536;
/** Memory for the engine and for fragmentation, in addition to the limit of the run. */
const OVERHEAD_MB = 64;
/** Well below the stack of the WebAssembly module, so that too deep a recursion is an error of the guest. */
const STACK_BYTES = 512 * 1_024;
const JOBS_AT_ONCE = 1_000;
const FILE = 'code.js';

type Tools = Record<'seed' | 'read' | 'write' | 'describe', QuickJSHandle>;

/** One WebAssembly instance with one context for one run, so that runs cannot see each other's data. */
export interface Guest {
  run(task: GuestTask): GuestAnswer;
}

export async function makeGuest(wasmModule: WebAssembly.Module, maxMemoryMb: number): Promise<Guest> {
  const wasmMemory = new WebAssembly.Memory({
    initial: (16 * MEBIBYTE) / PAGE_BYTES,
    maximum: ((2 * maxMemoryMb + OVERHEAD_MB) * MEBIBYTE) / PAGE_BYTES,
  });
  const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }));
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const lines = new ConsoleLines();
  const prelude = context.unwrapResult(context.evalCode(GUEST_PRELUDE, 'prelude.js', { type: 'global' }));
  const levels = context.newArray();
  CONSOLE_LEVELS.forEach((level, index) => {
    context.setProp(levels, index, context.newString(level));
  });
  const emit = context.newFunction('emit', (level, text) => {
    lines.add(context.getString(level) as ConsoleLine['level'], JSON.parse(context.getString(text)) as string);
  });
  const made = context.unwrapResult(context.callFunction(prelude, context.undefined, emit, levels));
  const tools = Object.fromEntries(
    ['seed', 'read', 'write', 'describe'].map((name) => [name, context.getProp(made, name)]),
  ) as Tools;
  return {
    run(task) {
      lines.limit = task.maxConsoleBytes;
      const run = new GuestRun(runtime, context, tools, task);
      return { ...run.end(), console: lines.taken };
    },
  };
}

class GuestRun {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #tools: Tools;
  readonly #task: GuestTask;
  readonly #stop: Int32Array;
  readonly #deadline: number;
  #interrupted = false;

  constructor(runtime: QuickJSRuntime, context: QuickJSContext, tools: Tools, task: GuestTask) {
    this.#runtime = runtime;
    this.#context = context;
    this.#tools = tools;
    this.#task = task;
    this.#stop = new Int32Array(task.stop);
    this.#deadline = performance.now() + task.timeoutMs;
    runtime.setMemoryLimit(task.memoryLimitMb * MEBIBYTE);
    runtime.setInterruptHandler(() => this.#isOver());
  }

  end(): GuestEnd {
    let end: GuestEnd;
    try {
      end = this.#work();
    } catch (error) {
      // QuickJS itself failed, because its parser checks only V8's stack.
      if (error instanceof RangeError)
        return { kind: 'failed', code: 'CODE_THREW', message: 'InternalError: stack overflow' };
      const message = error instanceof Error ? error.message : String(error);
      end = { kind: 'failed', code: 'CODE_CRASHED', message: `The code broke its engine: ${message.slice(0, 300)}` };
    }
    // An interruption looks like an error, which the code may have caught or replaced.
    if (!this.#interrupted) return end;
    return Atomics.load(this.#stop, 0) === 1 ? { kind: 'stopped' } : { kind: 'outOfTime' };
  }

  #isOver(): boolean {
    this.#interrupted ||= performance.now() > this.#deadline || Atomics.load(this.#stop, 0) === 1;
    return this.#interrupted;
  }

  #work(): GuestEnd {
    const context = this.#context;
    const { code, input, seed } = this.#task;
    const none = context.undefined;
    context.unwrapResult(context.callFunction(this.#tools.seed, none, ...seed.map((part) => context.newNumber(part))));
    let given = none;
    if (input !== undefined) {
      const read = context.callFunction(this.#tools.read, none, context.newString(input));
      if (read.error) return this.#failure(read.error);
      given = read.value;
    }
    // On the author's first line, so that line numbers stay the same.
    const source = `(async function (input) {'use strict'; ${code}\n})`;
    const compiled = context.evalCode(source, FILE, { type: 'global' });
    if (compiled.error) return this.#failure(compiled.error, 'CODE_SYNTAX_ERROR');
    const called = context.callFunction(compiled.value, none, given);
    if (called.error) return this.#failure(called.error);
    return this.#settled(called.value);
  }

  #settled(promise: QuickJSHandle): GuestEnd {
    while (this.#runtime.hasPendingJob() && this.#context.getPromiseState(promise).type === 'pending') {
      if (this.#isOver()) return { kind: 'outOfTime' };
      const done = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      if (done.error) return this.#failure(done.error);
    }
    const state = this.#context.getPromiseState(promise);
    if (state.type === 'rejected') return this.#failure(state.error);
    if (state.type === 'fulfilled') return this.#written(state.value);
    return {
      kind: 'failed',
      code: 'CODE_NEVER_ENDS',
      message: 'The code waits for a promise that nothing will settle; there are no timers and no events here',
    };
  }

  #written(value: QuickJSHandle): GuestEnd {
    const context = this.#context;
    const written = context.callFunction(this.#tools.write, context.undefined, value);
    if (written.error) {
      const { text } = this.#describe(written.error);
      if (isMemory(text)) return this.#failure(written.error);
      return { kind: 'failed', code: 'CODE_RESULT_NOT_JSON', message: `The returned value is not JSON: ${text}` };
    }
    const length = context.getNumber(context.getProp(written.value, 'length'));
    const { maxOutputBytes } = this.#task;
    if (length > maxOutputBytes) {
      const message = `The output has more than ${maxOutputBytes} bytes, which is the limit (MAX_OUTPUT_BYTES)`;
      return { kind: 'failed', code: 'OUTPUT_TOO_LARGE', message };
    }
    return { kind: 'returned', output: context.getString(written.value) };
  }

  #failure(error: QuickJSHandle, code = 'CODE_THREW'): GuestEnd {
    const { text, line } = this.#describe(error);
    if (isMemory(text)) {
      const message = `The code needs more than ${this.#task.memoryLimitMb} MiB of memory`;
      return { kind: 'failed', code: 'CODE_OUT_OF_MEMORY', message };
    }
    return { kind: 'failed', code, message: line === undefined ? text : `${text} (line ${line})` };
  }

  #describe(error: QuickJSHandle): { text: string; line?: string } {
    const context = this.#context;
    // Describing the error needs a little memory.
    this.#runtime.setMemoryLimit((this.#task.memoryLimitMb + 1) * MEBIBYTE);
    const described = context.callFunction(this.#tools.describe, context.undefined, error);
    if (described.error) return { text: 'an error that cannot be shown' };
    const [text, stack] = JSON.parse(context.getString(described.value)) as [string, string];
    const line = new RegExp(`${FILE}:(\\d+)`).exec(stack)?.[1];
    return { text, ...(line === undefined ? {} : { line }) };
  }
}

function isMemory(text: string): boolean {
  return text === 'InternalError: out of memory';
}
