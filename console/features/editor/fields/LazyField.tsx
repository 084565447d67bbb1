import { type ReactNode, Suspense } from 'react';

/** A field whose code comes with the first node that has it: who goes to its place waits for it there. */
export function LazyField({ field, children }: { field: string; children: ReactNode }) {
  return <Suspense fallback={<div data-field={field} />}>{children}</Suspense>;
}
