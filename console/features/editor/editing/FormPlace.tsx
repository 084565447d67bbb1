import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { PlacedProblem } from '../model/problemPlace.ts';
import { problemsAt } from '../model/problemPlace.ts';
import { formWords } from '../model/problemWords.ts';
import type { Readable } from './completions.ts';
import { useEditing } from './Editing.tsx';

/** What the fields of one form know about where they stand. */
export interface FormPlace extends Readable {
  /** Node, `trigger`, or undefined for the workflow. */
  node: string | undefined;
  /** The name of the values that expressions are shown with; undefined where no execution is chosen. */
  scope: string | undefined;
}

const Context = createContext<FormPlace | undefined>(undefined);

export function FormPlaceProvider({ value, children }: { value: FormPlace; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

export function useFormPlace(): FormPlace {
  const place = useContext(Context);
  if (place === undefined) throw new Error('this field stands in a form of the editor');
  return place;
}

const NONE: readonly PlacedProblem[] = [];

/** What is wrong at a place of the form. */
export function useProblem(field: string): string | undefined {
  const { problems } = useEditing();
  const { node } = useFormPlace();
  const own = useMemo(() => problems.filter((one) => one.node === node), [problems, node]) ?? NONE;
  return problemsAt(own, field, formWords);
}
