import { pathTo } from './place.ts';

/** A number that is too large needs an exponent of three digits, or very many digits. */
const MAY_BE_INFINITE = /[eE]\+?\d{3}|\d{200}/;

/** JSON.parse makes a number above 1.8e308 infinite, and JSON.stringify would write null. Recurses over the value. */
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
