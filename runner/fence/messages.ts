/** What the worker sends to the fence. */
export type ToFence =
  | { kind: 'load'; code: string; file: string; maxConsoleBytes: number; maxOutputBytes: number }
  | { kind: 'call'; id: number; member: GuestMember; parameters: unknown[] }
  | { kind: 'cancel'; id: number }
  | { kind: 'opened'; id: number; ticket: string }
  | { kind: 'refused'; id: number; code: string; message: string };

/** The functions that a bundle exports. */
export type GuestMember = 'describe' | 'run' | 'options';

/** What the fence sends to the worker, which checks each message (fenceMessage.ts): an attacker may have written it. */
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
