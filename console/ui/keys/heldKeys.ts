/** The field that takes the keys, and all of its dialog. */
const PLACE = '[data-finder]';

/**
 * Keeps keys from the page until the palette has the focus, and passes them on: `write` changes the text of its field, `close`
 * is called on Escape. Returns what ends it.
 */
export function holdKeys(write: (change: (text: string) => string) => void, close: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (document.activeElement?.closest(PLACE) != null) return;
    // Ctrl and Alt together write characters on some keyboards.
    if (isComposing || (!(ctrlKey && altKey) && (ctrlKey || metaKey || altKey))) return;
    const characters = [...key];
    // Tab leads back into a palette that somebody clicked beside.
    if (key === 'Tab' && document.querySelector(PLACE) !== null) return;
    event.preventDefault();
    event.stopPropagation();
    if (characters.length === 1) write((text) => text + key);
    else if (key === 'Backspace') write((text) => [...text].slice(0, -1).join(''));
    else if (key === 'Escape') close();
  };
  // Before anything else on the page.
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}
