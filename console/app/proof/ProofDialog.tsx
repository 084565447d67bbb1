import { Suspense } from 'react';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { useProofWanted } from './proof.ts';

const ProofForm = lazyPart(() => import('./ProofForm.tsx'), 'ProofForm');

/** Opened by `withProof`. The form loads at its first use, because few actions need it. */
export function ProofDialog() {
  const wanted = useProofWanted();
  if (wanted === undefined) return null;
  return (
    <Suspense>
      <ProofForm wanted={wanted} />
    </Suspense>
  );
}
