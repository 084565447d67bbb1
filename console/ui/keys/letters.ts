import { browserTexts, STORED } from '../../app/storage/browserStorage.ts';

const KEY = STORED.letterKeys.key;

/** Whether single letters are shortcuts. People who use speech input, or hit keys by accident, switch them off. */
export function areLettersOn(): boolean {
  return browserTexts().getItem(KEY) !== 'off';
}

export function switchLetters(on: boolean): void {
  if (on) browserTexts().removeItem(KEY);
  else browserTexts().setItem(KEY, 'off');
}
