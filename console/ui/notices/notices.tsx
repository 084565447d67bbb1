import { notifications } from '@mantine/notifications';
import { problemText, problemTitle } from './problemText.ts';

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
