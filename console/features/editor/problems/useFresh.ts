import { useMemo, useRef, useState } from 'react';
import { isWithin, type PlacedProblem } from '../model/problemPlace.ts';

interface Fresh {
  /** Undefined: the workflow itself. */
  node: string | undefined;
  /** Fields that the user has left. */
  left: readonly string[];
}

/**
 * Tracks the form that was just started. Its missing values are reported per field once the field was left, and all
 * together after a save, a look at the problems, or a change of form.
 */
export function useFresh(isNew: boolean) {
  const [fresh, setFresh] = useState<Fresh | undefined>(isNew ? { node: undefined, left: [] } : undefined);
  const at = useRef<string>(undefined);
  return useMemo(
    () => ({
      begin: (node: string | undefined) => {
        at.current = undefined;
        setFresh({ node, left: [] });
      },
      end: () => setFresh(undefined),
      follow: ([first, ...others]: readonly string[]) =>
        setFresh((now) => (now?.node === first && others.length === 0 ? now : undefined)),
      rename: (from: string, to: string) => setFresh((now) => (now?.node === from ? { ...now, node: to } : now)),
      enter: (field: string | undefined) => {
        const before = at.current;
        if (field === undefined || field === before) return;
        at.current = field;
        if (before !== undefined) setFresh((now) => now && { ...now, left: [...now.left, before] });
      },
      spoken: (problems: readonly PlacedProblem[]) => problems.filter((one) => isSpoken(one, fresh)),
    }),
    [fresh],
  );
}

function isSpoken({ isLack, node, field }: PlacedProblem, fresh: Fresh | undefined): boolean {
  if (!isLack || fresh === undefined || fresh.node !== node) return true;
  return fresh.left.some((left) => isWithin(left, field) || isWithin(field, left));
}
