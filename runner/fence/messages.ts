/** A message from the worker to the fence. */
export type ToFence =
  | { kind: 'load'; code: string; file: string; maxConsoleBytes: number; maxOutputBytes: number }
  | { kind: 'call'; id: number; member: GuestMember; parameters: unknown[] }
  | { kind: 'cancel'; id: number }
  | { kind: 'opened'; id: number; ticket: string }
  | { kind: 'refused'; id: number; code: string; message: string };

/** The functions that a bundle exports. */
export type GuestMember = 'describe' | 'run' | 'options';

/** A message from the fence to the worker. An attacker may have written it, so fenceMessage.ts checks each one. */
export type FromFence =
  | { kind: 'started' }
  | { kind: 'ready' }
  | { kind: 'loaded' }
  | { kind: 'notLoaded'; message: string }
  | { kind: 'returned'; id: number; output: string }
  | { kind: 'threw'; id: number; error: ThrownError }
  | { kind: 'line'; id: number; level: string; text: string }
  | { kind: 'open'; id: number; host: string; port: number };

export interface ThrownError {
  message: string;
  code?: string;
  retryable?: boolean;
  retryAfterMs?: number;
  /** JSON text. */
  details?: string;
}
