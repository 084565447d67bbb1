import { notifications } from '@mantine/notifications';
import { problemText, problemTitle } from './problemText.ts';

/** Says that something was done. */
export function done(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** Says what is under way, until the answer is called. */
export function underWay(message: string): () => void {
  const id = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false });
  return () => notifications.hide(id);
}

/** Says what came otherwise than the person meant; stays until it is closed. */
export function warned(message: string): void {
  notifications.show({ message, color: 'yellow', autoClose: false });
}

/** Says why something was not done; stays until it is closed. */
export function failed(error: unknown): void {
  notifications.show(failure(error));
}

const failure = (error: unknown) => ({
  ...{ title: problemTitle(error), message: problemText(error) },
  ...{ color: 'red', autoClose: false as const },
});

/** Notices about one thing that is tried again: the newest stands in place of the one before. */
export const noticesAbout = (id: string) => ({
  done(message: string): void {
    notifications.hide(id);
    done(message);
  },
  failed(error: unknown): void {
    notifications.hide(id);
    notifications.show({ ...failure(error), id });
  },
  /** What was said of it holds no more. */
  forget: () => notifications.hide(id),
});
