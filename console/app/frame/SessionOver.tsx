import { Suspense, useSyncExternalStore } from 'react';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { ENDED } from '../session/session.ts';

const LoginAgain = lazyPart(() => import('./LoginAgain.tsx'), 'LoginAgain');

export function SessionOver() {
  const owner = useSyncExternalStore(ENDED.subscribe, ENDED.get);
  return owner === undefined ? null : (
    <Suspense>
      <LoginAgain owner={owner} />
    </Suspense>
  );
}
