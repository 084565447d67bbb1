import { charge, chargeList } from '../meter.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Code points of the text, of which size() counts each as one. */
export function characters(text: string): string[] {
  chargeList(text.length);
  return [...text];
}

/** Whether any character takes two units. */
function holdsPairs(text: string): boolean {
  charge(text.length >> 5);
  return SURROGATE.test(text);
}

export function countOf(text: string): number {
  return holdsPairs(text) ? characters(text).length : text.length;
}

/** Counted in characters. */
export function sliceOf(text: string, start: number, end?: number): string {
  return holdsPairs(text) ? characters(text).slice(start, end).join('') : text.slice(start, end);
}
