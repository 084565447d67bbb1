const FIELD =
  ':is(input:not([type=hidden], [type=file]), select, textarea, [contenteditable=true]):not(:disabled, [readonly], [tabindex="-1"])';
const BUTTON = 'button:not(:disabled)';

/**
 * A dialog begins at its first field, or where it only asks at its first button, which leaves all as it is; not at the button that closes it,
 * where the browser would begin. A field that comes later takes the focus, too, until the person has touched the dialog.
 * `data-autofocus` on an element of a dialog goes before. Returns what ends it.
 */
export function beginDialogs(): () => void {
  const begun = new WeakSet<Element>();
  const ends = new Set<() => void>();
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.matches('.mantine-Modal-close:not([data-autofocus])')) return;
    const dialog = target.closest<HTMLElement>('[role=dialog]');
    if (dialog === null || begun.has(dialog)) return;
    begun.add(dialog);
    const end = beginAt(dialog, target, () => ends.delete(end));
    ends.add(end);
  };
  document.addEventListener('focusin', onFocus);
  return () => {
    document.removeEventListener('focusin', onFocus);
    for (const end of ends) end();
  };
}

function beginAt(dialog: HTMLElement, close: HTMLElement, onEnd: () => void): () => void {
  const body = dialog.querySelector<HTMLElement>('.mantine-Modal-body');
  let mine: HTMLElement = close;
  let isOver = false;
  const look = () => {
    if (isOver) return;
    if (!dialog.isConnected) return end();
    // Somebody, or something else, has moved it on.
    const { activeElement } = document;
    if (activeElement !== mine && activeElement !== close && activeElement !== document.body) return end();
    const next = firstOf(body) ?? close;
    mine = next;
    if (activeElement !== next) next.focus({ preventScroll: true });
  };
  const seen = new MutationObserver(look);
  const end = () => {
    isOver = true;
    seen.disconnect();
    document.removeEventListener('keydown', end, true);
    document.removeEventListener('pointerdown', end, true);
    dialog.removeEventListener('focusin', look);
    onEnd();
  };
  // The library gives the focus more than once.
  dialog.addEventListener('focusin', look);
  document.addEventListener('keydown', end, true);
  document.addEventListener('pointerdown', end, true);
  seen.observe(document.body, { childList: true, subtree: true });
  look();
  return end;
}

function firstOf(body: HTMLElement | null): HTMLElement | undefined {
  const fields = [...(body?.querySelectorAll<HTMLElement>(FIELD) ?? [])].filter(isShown);
  const [field] = fields;
  if (field instanceof HTMLInputElement && field.type === 'radio') {
    const isChosen = (each: HTMLElement) =>
      each instanceof HTMLInputElement && each.name === field.name && each.checked;
    return fields.find(isChosen) ?? field;
  }
  return field ?? [...(body?.querySelectorAll<HTMLElement>(BUTTON) ?? [])].find(isShown);
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0;
