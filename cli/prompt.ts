import { createInterface } from 'node:readline/promises';

/** Prompts on stderr, since stdout carries data. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
