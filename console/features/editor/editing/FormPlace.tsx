import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { PlacedProblem } from '../model/problemPlace.ts';
import { problemsAt } from '../model/problemPlace.ts';
import { formWords } from '../model/problemWords.ts';
import type { Readable } from './completions.ts';
import { useEditing } from './Editing.tsx';

export interface FormPlace extends Readable {
  /** Id of the node, `trigger`, or undefined for the workflow. */
  node: string | undefined;
  /** The name of the scope for previews; undefined if there are no values to show. */
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

export function useProblem(field: string): string | undefined {
  const { problems } = useEditing();
  const { node } = useFormPlace();
  const own = useMemo(() => problems.filter((one) => one.node === node), [problems, node]) ?? NONE;
  return problemsAt(own, field, formWords);
}
