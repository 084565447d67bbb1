/** The element that receives the keys, with its whole dialog. */
const PLACE = '[data-finder]';

/** Redirects keys to the palette until it has the focus. `write` changes its text, and Escape calls `close`. */
export function holdKeys(write: (change: (text: string) => string) => void, close: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (document.activeElement?.closest(PLACE) != null) return;
    // Ctrl and Alt together type characters on some keyboards.
    if (isComposing || (!(ctrlKey && altKey) && (ctrlKey || metaKey || altKey))) return;
    const characters = [...key];
    // After a click outside, Tab returns to the palette.
    if (key === 'Tab' && document.querySelector(PLACE) !== null) return;
    event.preventDefault();
    event.stopPropagation();
    if (characters.length === 1) write((text) => text + key);
    else if (key === 'Backspace') write((text) => [...text].slice(0, -1).join(''));
    else if (key === 'Escape') close();
  };
  // Before all other listeners of the page.
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}
