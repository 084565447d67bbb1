import { useEffect, useRef } from 'react';
import { browserTexts, STORED } from '../../app/storage/browserStorage.ts';

/** A shortcut of a page. Without `act` another listener handles it, and the list of shortcuts only shows it. */
interface PageKey {
  key: string;
  does: string;
  act?: () => void;
}

const pages = new Set<{ current: readonly PageKey[] }>();
let show: () => void = () => undefined;

export function usePageKeys(keys: readonly PageKey[]): void {
  const own = useRef(keys);
  own.current = keys;
  useEffect(() => {
    pages.add(own);
    return () => void pages.delete(own);
  }, []);
}

export function keysHere(): PageKey[] {
  return [...pages].flatMap(({ current }) => current);
}

export function showKeys(): void {
  show();
}

/** The time after g in which its second letter is accepted. */
const SECOND_MS = 1_500;

/** `g` and a letter opens a page, `/` focuses the search field, `?` lists all shortcuts. */
export function listenToKeys(goTo: (letter: string) => void, onHelp: () => void): () => void {
  let begunAt = Number.NEGATIVE_INFINITY;
  show = onHelp;
  const actOf = (key: string): (() => void) | undefined => {
    if (key === '?') return onHelp;
    if (key === '/') return searchField();
    return keysHere().find((one) => one.key === key && one.act !== undefined)?.act;
  };
  const onKey = (event: KeyboardEvent) => {
    if (!isPageKey(event)) return;
    const { key } = event;
    const isSecond = performance.now() - begunAt < SECOND_MS;
    begunAt = key === 'g' && !isSecond ? performance.now() : Number.NEGATIVE_INFINITY;
    const act = isSecond ? () => goTo(key) : actOf(key);
    if (act === undefined) return;
    // The letter must not be written into the field that gets the focus.
    event.preventDefault();
    // The second letter after g is not a shortcut of the page.
    if (isSecond) event.stopImmediatePropagation();
    act();
  };
  document.addEventListener('keydown', onKey, { capture: true });
  return () => document.removeEventListener('keydown', onKey, { capture: true });
}

function searchField(): (() => void) | undefined {
  const field = document.querySelector<HTMLInputElement>('main :is(search input, input[type=search])');
  return field === null ? undefined : () => field.focus();
}

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

const KEY = STORED.letterKeys.key;

/** Whether single letters are shortcuts. People who use speech input, or hit keys by accident, switch them off. */
export function areLettersOn(): boolean {
  return browserTexts().getItem(KEY) !== 'off';
}

export function switchLetters(on: boolean): void {
  if (on) browserTexts().removeItem(KEY);
  else browserTexts().setItem(KEY, 'off');
}
