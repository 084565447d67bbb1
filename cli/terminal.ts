import { createInterface } from 'node:readline/promises';

export interface Terminal {
  /** Returns undefined after Ctrl-D. Rejects when the signal is aborted. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

interface TerminalOptions {
  signal: AbortSignal;
  /** Ctrl-C arrives as a key press in raw mode, so there is no signal. */
  onInterrupt: () => void;
  input?: NodeJS.ReadableStream;
  output?: NodeJS.WritableStream;
}

export function openTerminal({
  signal,
  onInterrupt,
  input = process.stdin,
  output = process.stderr,
}: TerminalOptions): Terminal {
  const lines = createInterface({ input, output, terminal: true });
  const ended = new AbortController();
  lines.on('SIGINT', onInterrupt);
  lines.once('close', () => ended.abort());
  return {
    async ask(question) {
      try {
        return await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) });
      } catch (error) {
        if (ended.signal.aborted && !signal.aborted) return undefined;
        throw error;
      }
    },
    close: () => lines.close(),
  };
}
