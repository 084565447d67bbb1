import { Suspense } from 'react';
import { lazyPart } from '../../ui/load/loaded.ts';
import { useProofWanted } from './proof.ts';

const ProofForm = lazyPart(
  () => import('./ProofForm.tsx'),
  ({ ProofForm }) => ProofForm,
);

/** Asks people for password or code wherever an act needs a fresh proof; `withProof` opens it. Few acts do: the first page goes without its form. */
export function ProofDialog() {
  const wanted = useProofWanted();
  if (wanted === undefined) return null;
  return (
    <Suspense>
      <ProofForm wanted={wanted} />
    </Suspense>
  );
}
