/** Restores the focus after a dialog closes, or after a button was disabled: browsers lose it in both cases. */
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
    // `follow` replaces both, and a removed button no longer finds them.
    const [dialog, part] = [around, section];
    follow(button);
    if (isLost()) button.focus({ preventScroll: true });
    // The button may be gone, for example after a restore. If its dialog is gone too, the opener gets the focus.
    const place = dialog === null ? headingOf(part) : dialog;
    if (isLost() && place?.isConnected) place.focus({ preventScroll: true });
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = target.closest<HTMLElement>('[role=dialog]');
    if (dialog !== null && !watched.has(dialog)) watch(dialog, last);
    // Menu entries disappear with their menu, but the button that opened it stays.
    if (target.closest('[role=menu]') === null) last = target;
    follow(target);
  };
  const watch = (dialog: HTMLElement, opener: HTMLElement | undefined) => {
    watched.add(dialog);
    const openedIn = opener?.closest('section') ?? null;
    // Loads with the first dialog. If that fails, the focus stays at the browser's default.
    import('./dialogFocus.ts').then(({ beginDialog }) => beginDialog(dialog), console.warn);
    const seen = new MutationObserver(() => {
      if (dialog.isConnected) return;
      seen.disconnect();
      watches.delete(seen);
      if (isLost()) opener?.focus();
      // The opener may be gone, for example a deleted row.
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

/** The place from which Tab reaches the rest of a list: the section's heading if it is focusable, else the page's. */
const headingOf = (section: Element | null) =>
  (section?.isConnected ? section.querySelector<HTMLElement>(':scope > [tabindex="-1"]') : null) ??
  document.querySelector<HTMLElement>('h1');

const isLost = () => document.activeElement === null || document.activeElement === document.body;
