import { isProblem, NOT_AN_ANSWER } from 'perdure-client';
import { WORDS } from '../words/words.ts';

/** Whether no answer came at all, or one of the proxy before an API that is away. */
export const isAwayProblem = (error: unknown) =>
  isProblem(error) && (error.status === 0 || (error.status >= 502 && error.code === NOT_AN_ANSWER));

/** Whether the API asks to be asked later: it has too much to do, or lacks a part of itself. */
export const isBusyProblem = (error: unknown) =>
  isProblem(error) && (error.status === 429 || error.status === 503) && !isAwayProblem(error);

export function problemTitle(error: unknown): string {
  if (isAwayProblem(error)) return WORDS.problem.away;
  return isBusyProblem(error) ? WORDS.problem.busy : WORDS.problem.title;
}

/**
 * What went wrong, for people. Where no answer of the API came, what to do: the client's own words name the address, which
 * may hold a token, or repeat the page of a proxy.
 */
export function problemText(error: unknown): string {
  if (isAwayProblem(error)) return WORDS.problem.awayHelp;
  if (isProblem(error, NOT_AN_ANSWER)) return WORDS.problem.elsewhere(error.status);
  if (isProblem(error)) return error.detail ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
