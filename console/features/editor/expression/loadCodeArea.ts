import { useSyncExternalStore } from 'react';
import type { CodeArea as CodeAreaPart } from '../../../ui/code/CodeArea.tsx';
import { newReaders } from '../../../ui/load/readers.ts';

type CodeArea = typeof CodeAreaPart;

let loaded: CodeArea | undefined;
let isAsked = false;
const readers = newReaders();

/** Loads the code editor. If that fails, fields stay plain, and entering the next one tries again. */
export function loadCodeArea(): void {
  if (isAsked) return;
  isAsked = true;
  import('../../../ui/code/CodeArea.tsx').then(
    ({ CodeArea }) => {
      loaded = CodeArea;
      readers.say();
    },
    () => {
      isAsked = false;
    },
  );
}

export function useCodeArea(): CodeArea | undefined {
  return useSyncExternalStore(readers.subscribe, () => loaded);
}
