import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';

/** What a thread is made with. */
export interface GuestThreadData {
  /** The most that any run's memory may grow to. */
  maxMemoryMb: number;
}

/** One run, as it goes to a thread. */
export interface GuestTask {
  code: string;
  /** As JSON; without one, `input` is undefined. */
  input?: string;
  timeoutMs: number;
  memoryLimitMb: number;
  maxOutputBytes: number;
  maxConsoleBytes: number;
  /** Of Math.random: four 32 bit integers. */
  seed: number[];
  /** What the guest's clock says, milliseconds since 1970. */
  now: number;
  /** An Int32 that is set to 1 to stop the run. */
  stop: SharedArrayBuffer;
}

export type GuestEnd =
  /** `output` is JSON. */
  | { kind: 'returned'; output: string }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'outOfTime' }
  | { kind: 'stopped' };

export type GuestAnswer = GuestEnd & { console: ConsoleLine[] };
