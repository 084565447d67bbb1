import { notifications } from '@mantine/notifications';
import { WORDS } from '../words/en.ts';
import { isAwayProblem, problemText } from './problemText.ts';

/** Says that something was done. */
export function done(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** Says why something was not done; stays until it is closed. */
export function failed(error: unknown): void {
  const title = isAwayProblem(error) ? WORDS.problem.away : WORDS.problem.title;
  notifications.show({ title, message: problemText(error), color: 'red', autoClose: false });
}
