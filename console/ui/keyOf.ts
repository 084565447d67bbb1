import { slugOf } from './slug.ts';

/** Example: `Is it much?` becomes `isItMuch`; undefined if the result does not start with a letter. */
export function keyOf(label: string): string | undefined {
  const [first = '', ...rest] = slugOf(label).split('-');
  const key = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return /^[a-z]/.test(key) ? key : undefined;
}

/** Returns the key, with a number if it is taken. */
export function freeKey(wish: string, taken: readonly unknown[]): string {
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? wish : `${wish}${count}`;
    if (!taken.includes(key)) return key;
  }
}
