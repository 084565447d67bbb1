import { type ReactNode, Suspense } from 'react';

/** Suspends a field whose code loads with the first node that needs it. The placeholder has its place in the form. */
export function LazyField({ field, children }: { field: string; children: ReactNode }) {
  return <Suspense fallback={<div data-field={field} />}>{children}</Suspense>;
}
