/**
 * Gives the focus back to where it was when a dialog goes: dialogs are taken out of the page while they are open, and the
 * browser then forgets where the person was. So it does with a button that is disabled while it works. Returns what ends it.
 */
export function giveFocusBack(): () => void {
  let last: HTMLElement | undefined;
  const watched = new WeakSet<Element>();
  const watches = new Set<MutationObserver>();
  const working = new MutationObserver(() => {
    if (!(last instanceof HTMLButtonElement)) return;
    if (last.isConnected && last.disabled) working.observe(document.body, { childList: true, subtree: true });
    else afterWork(last);
  });
  let around: HTMLElement | null = null;
  let section: Element | null = null;
  const follow = (target: HTMLElement) => {
    working.disconnect();
    around = target.closest<HTMLElement>('[role=dialog]');
    section = target.closest('section');
    if (target instanceof HTMLButtonElement) working.observe(target, { attributeFilter: ['disabled'] });
  };
  const afterWork = (button: HTMLButtonElement) => {
    // Of one that is gone they are found no more.
    const [dialog, part] = [around, section];
    follow(button);
    if (isLost()) button.focus({ preventScroll: true });
    // Another stands in its place, as after a restoration. With a dialog that is gone too, its opener gets the focus.
    const place = dialog === null ? headingOf(part) : dialog;
    if (isLost() && place?.isConnected) place.focus({ preventScroll: true });
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = target.closest<HTMLElement>('[role=dialog]');
    if (dialog !== null && !watched.has(dialog)) watch(dialog, last);
    // An entry of a menu goes with it; the button that opened the menu stays.
    if (target.closest('[role=menu]') === null) last = target;
    follow(target);
  };
  const watch = (dialog: HTMLElement, opener: HTMLElement | undefined) => {
    watched.add(dialog);
    const openedIn = opener?.closest('section') ?? null;
    // Loaded with the first dialog; without it the focus stays where the browser began.
    import('./dialogFocus.ts').then(({ beginDialog }) => beginDialog(dialog), console.warn);
    const seen = new MutationObserver(() => {
      if (dialog.isConnected) return;
      seen.disconnect();
      watches.delete(seen);
      if (isLost()) opener?.focus();
      // What opened it may be gone, as a row that was deleted.
      if (isLost()) headingOf(openedIn)?.focus({ preventScroll: true });
    });
    watches.add(seen);
    seen.observe(document.body, { childList: true, subtree: true });
  };
  document.addEventListener('focusin', onFocus);
  return () => {
    document.removeEventListener('focusin', onFocus);
    working.disconnect();
    for (const seen of watches) seen.disconnect();
  };
}

/** From where Tab leads to what is left of the list: that of the part of the page, where it takes the focus, else that of the page. */
const headingOf = (section: Element | null) =>
  (section?.isConnected ? section.querySelector<HTMLElement>(':scope > [tabindex="-1"]') : null) ??
  document.querySelector<HTMLElement>('h1');

const isLost = () => document.activeElement === null || document.activeElement === document.body;
