const KEY = 'perdure.letters';

/** Whether single letters are keys of the pages. People who speak to their machine, or touch keys by accident, switch them off. */
export function areLettersOn(): boolean {
  return localStorage.getItem(KEY) !== 'off';
}

export function switchLetters(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
