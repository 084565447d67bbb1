import { useSyncExternalStore } from 'react';
import type { CodeArea as CodeAreaPart } from '../parts/CodeArea.tsx';

type CodeArea = typeof CodeAreaPart;

let loaded: CodeArea | undefined;
let isAsked = false;
const listeners = new Set<() => void>();

/** Where it does not come, fields stay plain, and the next one that is entered asks once more. */
export function loadCodeArea(): void {
  if (isAsked) return;
  isAsked = true;
  import('../parts/CodeArea.tsx').then(
    ({ CodeArea }) => {
      loaded = CodeArea;
      for (const listener of listeners) listener();
    },
    () => {
      isAsked = false;
    },
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The editor of code once it was asked for and is there. */
export function useCodeArea(): CodeArea | undefined {
  return useSyncExternalStore(subscribe, () => loaded);
}
