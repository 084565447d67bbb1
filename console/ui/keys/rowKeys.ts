import { areLettersOn } from './letters.ts';

const STEPS: Record<string, number> = { j: 1, k: -1 };

/** A letter on a button of a form was probably meant for its field. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input:not([type=checkbox]), textarea, select, form, [role=dialog], [role=menu]') !== null);

/** Whether a letter is meant as a shortcut: the person is not typing, and has not switched letters off. */
export const isPageKey = ({ ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent) =>
  !defaultPrevented && !ctrlKey && !metaKey && !altKey && !isTyping(target) && areLettersOn();

/** j and k move between rows, x selects one. */
export function walkRows(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!isPageKey(event)) return;
    const rows = [...document.querySelectorAll<HTMLElement>('[data-walked] :is(tbody tr:not([aria-hidden]), li)')];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = STEPS[event.key];
    if (step !== undefined) {
      const next = rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
      next?.querySelector<HTMLElement>('a[href], button')?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'x' && at >= 0) rows[at]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
