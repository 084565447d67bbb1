import { isProblem } from 'perdure-client';
import { useSyncExternalStore } from 'react';
import { newReaders } from '../../ui/load/readers.ts';
import { WORDS } from '../../ui/words/words.ts';

/** The waiting action: `given` runs it again, `dismissed` rejects it. */
export interface ProofWanted {
  given: () => void;
  dismissed: () => void;
}

let wanted: ProofWanted | undefined;
const readers = newReaders();

function want(next: ProofWanted | undefined): void {
  wanted = next;
  readers.say();
}

export function useProofWanted(): ProofWanted | undefined {
  return useSyncExternalStore(readers.subscribe, () => wanted);
}

/** Runs the action. After 401 CONFIRMATION_REQUIRED, asks for a fresh proof and runs it again. */
export async function withProof<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isProblem(error, 'CONFIRMATION_REQUIRED')) throw error;
  }
  await new Promise<void>((given, refused) => {
    want({
      given: () => {
        want(undefined);
        given();
      },
      dismissed: () => {
        want(undefined);
        refused(new Error(WORDS.problem.noProof));
      },
    });
  });
  return await act();
}
