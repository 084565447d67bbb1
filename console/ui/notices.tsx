import { notifications } from '@mantine/notifications';
import { isProblem, NOT_AN_ANSWER } from 'perdure-client';
import { WORDS } from './words/words.ts';

export function done(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** Shows a message until the returned function is called. */
export function underWay(message: string): () => void {
  const id = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false });
  return () => notifications.hide(id);
}

/** Shows an unexpected result until the person closes it. */
export function warned(message: string): void {
  notifications.show({ message, color: 'yellow', autoClose: false });
}

/** Shows an error until the person closes it. */
export function failed(error: unknown): void {
  notifications.show(failure(error));
}

const failure = (error: unknown) => ({
  ...{ title: problemTitle(error), message: problemText(error) },
  ...{ color: 'red', autoClose: false as const },
});

/** Messages about one repeated action: a new one replaces the previous one. */
export const noticesAbout = (id: string) => ({
  done(message: string): void {
    notifications.hide(id);
    done(message);
  },
  failed(error: unknown): void {
    notifications.hide(id);
    notifications.show({ ...failure(error), id });
  },
  forget: () => notifications.hide(id),
});

/** Whether no answer came, or only one of the proxy before an unreachable API. */
export const isAwayProblem = (error: unknown) =>
  isProblem(error) && (error.status === 0 || (error.status >= 502 && error.code === NOT_AN_ANSWER));

/** Whether to try later: the API is overloaded, or a part of it is down. */
export const isBusyProblem = (error: unknown) =>
  isProblem(error) && (error.status === 429 || error.status === 503) && !isAwayProblem(error);

export function problemTitle(error: unknown): string {
  if (isAwayProblem(error)) return WORDS.problem.away;
  return isBusyProblem(error) ? WORDS.problem.busy : WORDS.problem.title;
}

/**
 * Hides the client's own message if the API did not answer: it contains the address, which may include a token, or a
 * proxy's page.
 */
export function problemText(error: unknown): string {
  if (isAwayProblem(error)) return WORDS.problem.awayHelp;
  if (isProblem(error, NOT_AN_ANSWER)) return WORDS.problem.elsewhere(error.status);
  if (isProblem(error)) return error.detail ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
