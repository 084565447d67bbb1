import { charge, chargeList } from '../meter.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Returns the code points of the text, which is also what size() counts. */
export function characters(text: string): string[] {
  chargeList(text.length);
  return [...text];
}

function holdsPairs(text: string): boolean {
  charge(text.length >> 5);
  return SURROGATE.test(text);
}

export function countOf(text: string): number {
  return holdsPairs(text) ? characters(text).length : text.length;
}

/** Positions count code points. */
export function sliceOf(text: string, start: number, end?: number): string {
  return holdsPairs(text) ? characters(text).slice(start, end).join('') : text.slice(start, end);
}
