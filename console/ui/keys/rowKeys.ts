import { areLettersOn } from './letters.ts';

const STEPS: Record<string, number> = { j: 1, k: -1 };

/** Letters are text here, or mean something else; on a button of a form they were meant for its field. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input:not([type=checkbox]), textarea, select, form, [role=dialog], [role=menu]') !== null);

/** A letter that is meant for the page: nothing is being written, and the person has not switched such keys off. */
export const isPageKey = ({ ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent) =>
  !defaultPrevented && !ctrlKey && !metaKey && !altKey && !isTyping(target) && areLettersOn();

/** j and k walk the rows of the page's table or lists, x chooses the row: for lists that are worked by keyboard alone. Returns what ends it. */
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
