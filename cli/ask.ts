import { createInterface } from 'node:readline/promises';

/** Asks on the terminal, beside the data on stdout. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** Whether an answer agrees; anything but yes does not. */
export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
