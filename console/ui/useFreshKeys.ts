import { useRef } from 'react';
import { freeKey, keyOf } from './keyOf.ts';

interface FreshKeys {
  /** Marks the key of an added row: it follows the row's label. */
  add: (key: string) => void;
  /** The person has written the key. */
  fix: (key: string) => void;
  /** Returns the key after a change of the label. `others`: the keys of the other rows. */
  follow: (key: string, label: string, others: readonly unknown[]) => string;
}

/** Derives keys from labels, for the rows that were added since the form was opened: stored keys are in use. */
export function useFreshKeys(): FreshKeys {
  const fresh = useRef(new Set<string>());
  return {
    add: (key) => fresh.current.add(key),
    fix: (key) => fresh.current.delete(key),
    follow: (key, label, others) => {
      const wish = keyOf(label);
      if (wish === undefined || !fresh.current.delete(key)) return key;
      const next = freeKey(wish, others);
      fresh.current.add(next);
      return next;
    },
  };
}
