import { useSyncExternalStore } from 'react';
import type { CodeArea as CodeAreaPart } from '../../../ui/code/CodeArea.tsx';
import { newReaders } from '../../../ui/load/readers.ts';

type CodeArea = typeof CodeAreaPart;

let loaded: CodeArea | undefined;
let isAsked = false;
const readers = newReaders();

/** Where it does not come, fields stay plain, and the next one that is entered asks once more. */
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

/** The editor of code once it was asked for and is there. */
export function useCodeArea(): CodeArea | undefined {
  return useSyncExternalStore(readers.subscribe, () => loaded);
}
