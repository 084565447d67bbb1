const FIELD =
  ':is(input:not([type=hidden], [type=file]), select, textarea, [contenteditable=true]):not(:disabled, [readonly], [tabindex="-1"])';
const BUTTON = 'button:not(:disabled)';

/**
 * Focuses the first field or, without fields, the first button, which changes nothing. Browsers would focus the close
 * button. A field that loads later takes the focus until the person uses the dialog. `data-autofocus` has priority.
 */
export function beginDialog(dialog: HTMLElement): void {
  const close = document.activeElement;
  if (!(close instanceof HTMLElement) || !close.matches('.mantine-Modal-close') || !dialog.contains(close)) return;
  const body = dialog.querySelector<HTMLElement>('.mantine-Modal-body');
  let mine = close;
  let isOver = false;
  const look = () => {
    if (isOver) return;
    const { activeElement } = document;
    // The person or other code has moved the focus.
    const isMoved = activeElement !== mine && activeElement !== close && activeElement !== document.body;
    if (!dialog.isConnected || isMoved) return end();
    mine = firstOf(body) ?? close;
    if (activeElement !== mine) mine.focus({ preventScroll: true });
  };
  const seen = new MutationObserver(look);
  const end = () => {
    isOver = true;
    seen.disconnect();
    document.removeEventListener('keydown', end, true);
    document.removeEventListener('pointerdown', end, true);
    dialog.removeEventListener('focusin', look);
  };
  // The library sets the focus more than once.
  dialog.addEventListener('focusin', look);
  document.addEventListener('keydown', end, true);
  document.addEventListener('pointerdown', end, true);
  seen.observe(document.body, { childList: true, subtree: true });
  look();
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
