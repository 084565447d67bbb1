import { createInterface } from 'node:readline/promises';

export interface Terminal {
  /** What the person types; undefined once they have ended the input (Ctrl-D). Rejects when the signal is aborted. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

interface TerminalOptions {
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Ctrl-C: a terminal that is read by keys gives it as one, and no signal comes of it. */
  onInterrupt: () => void;
  input?: NodeJS.ReadableStream;
  output?: NodeJS.WritableStream;
}

/** A conversation by lines with the person at the terminal. */
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
