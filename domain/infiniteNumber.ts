import { pathTo } from './place.ts';

/** Texts of JSON without this hold no number that is too large: exponents of three digits, or very many digits. */
const MAY_BE_INFINITE = /[eE]\+?\d{3}|\d{200}/;

/**
 * The path of the first number of a parsed JSON text that is larger than a number can be (1.8e308): JSON.parse makes it
 * infinite, and JSON.stringify would write null. Undefined where there is none. As deep as the value.
 */
export function infiniteNumberAt(text: string, value: unknown): string | undefined {
  return MAY_BE_INFINITE.test(text) ? pathOfInfinite('', value) : undefined;
}

function pathOfInfinite(path: string, value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    const found = pathOfInfinite(pathTo(path, isList ? Number(key) : key), member);
    if (found !== undefined) return found;
  }
  return undefined;
}
