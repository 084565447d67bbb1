import { notifications } from '@mantine/notifications';
import { isProblem } from 'perdure-client';
import { WORDS } from '../words/en.ts';

/** Says that something was done. */
export function done(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** Says why something was not done; stays until it is closed. */
export function failed(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const title = isProblem(error) && error.status === 0 ? WORDS.problem.away : WORDS.problem.title;
  notifications.show({ title, message, color: 'red', autoClose: false });
}
