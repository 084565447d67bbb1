/** Pages served over plain http have no clipboard API: there the text is selected and copied with `execCommand`. */
export async function copyText(text: string): Promise<void> {
  // Can be undefined, contrary to its type.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'aloud';
  // Inside the open dialog, which traps the focus.
  (before?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser does not let this page copy: select the text, and copy it by hand.');
}
