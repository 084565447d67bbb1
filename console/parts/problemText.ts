import { isProblem } from 'perdure-client';
import { WORDS } from '../words/en.ts';

/** Whether no answer came at all. */
export const isAwayProblem = (error: unknown) => isProblem(error) && error.status === 0;

/** What went wrong, for people. Where no answer came, what to do: the client's own words name the address, which may hold a token. */
export function problemText(error: unknown): string {
  if (isAwayProblem(error)) return WORDS.problem.awayHelp;
  if (isProblem(error)) return error.detail ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
