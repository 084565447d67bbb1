import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';

/** The data with which a thread is created. */
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
  /** Seed of Math.random: four 32 bit integers. */
  seed: number[];
  /** The guest's clock, milliseconds since 1970. */
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
