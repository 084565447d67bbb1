/** Puts a text into the clipboard. Browsers keep theirs from pages that came by plain http: there the text is selected and copied as by hand. */
export async function copyText(text: string): Promise<void> {
  // Typed as if it were always there.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'aloud';
  // Within the dialog that is open: it keeps the focus to itself.
  (before?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser does not let this page copy: select the text, and copy it by hand.');
}
