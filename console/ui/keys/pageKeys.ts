import { useEffect, useRef } from 'react';
import { isPageKey } from './rowKeys.ts';

/** A key of a page. Without `act` something else listens to it, and it is only named in the sheet of keys. */
export interface PageKey {
  key: string;
  does: string;
  act?: () => void;
}

const pages = new Set<{ current: readonly PageKey[] }>();
let show: () => void = () => undefined;

/** Keys that hold while the page is there. */
export function usePageKeys(keys: readonly PageKey[]): void {
  const own = useRef(keys);
  own.current = keys;
  useEffect(() => {
    pages.add(own);
    return () => void pages.delete(own);
  }, []);
}

/** The keys of what is shown now. */
export function keysHere(): PageKey[] {
  return [...pages].flatMap(({ current }) => current);
}

/** Opens the sheet of keys. */
export function showKeys(): void {
  show();
}

/** How long after g its second letter may come. */
const SECOND_MS = 1_500;

/** Acts on the keys of pages; `g` and a letter go to a place, `/` to the search field, `?` shows all keys. Returns what ends it. */
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
    // A second letter is no key of the page.
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
