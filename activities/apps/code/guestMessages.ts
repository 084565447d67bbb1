import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';

export interface GuestThreadData {
  maxMemoryMb: number;
}

export interface GuestTask {
  code: string;
  input?: string;
  timeoutMs: number;
  memoryLimitMb: number;
  maxOutputBytes: number;
  maxConsoleBytes: number;
  /** Seed of Math.random: four 32-bit integers. */
  seed: number[];
  /** The guest's clock, milliseconds since 1970. */
  now: number;
  /** An Int32 that is set to 1 to stop the run. */
  stop: SharedArrayBuffer;
}

export type GuestEnd =
  | { kind: 'returned'; output: string }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'outOfTime' }
  | { kind: 'stopped' };

export type GuestAnswer = GuestEnd & { console: ConsoleLine[] };
