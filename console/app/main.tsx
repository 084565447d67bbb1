import './mantine.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { lazyPart } from '../ui/load/lazyPart.ts';
import { NONCE } from '../ui/nonce.ts';
import { ME } from './api/me.ts';
import { QUERIES } from './api/queries.ts';
import { ROUTER } from './router.tsx';
import { ENDED, servePage } from './session/session.ts';
import { personId } from './storage/personId.ts';
import { THEME } from './theme.ts';

servePage({
  owner: () => {
    const me = QUERIES.getQueryData(ME.queryKey);
    if (me === undefined || isDoor()) return undefined;
    return { id: personId(me), workspaceId: me.workspace.id, email: 'email' in me ? me.email : undefined };
  },
  async leave(isEnded) {
    QUERIES.clear();
    if (isDoor()) return;
    const { href } = ROUTER.state.location;
    // Skip the unsaved-changes prompt: another user may be at the keyboard.
    await ROUTER.navigate({ to: '/login', search: isEnded ? { next: href, ended: 'yes' } : {}, ignoreBlocker: true });
    QUERIES.clear();
  },
  resume: () => void QUERIES.invalidateQueries(),
});

const isDoor = () => ['/login', '/verify-token', '/connect'].includes(ROUTER.state.location.pathname);

const LoginAgain = lazyPart(() => import('./frame/LoginAgain.tsx'), 'LoginAgain');

const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no element for the console');
createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={THEME} defaultColorScheme="auto" getStyleNonce={() => NONCE}>
      <QueryClientProvider client={QUERIES}>
        <Notifications position="bottom-right" />
        <RouterProvider router={ROUTER} />
        <SessionOver />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

function SessionOver() {
  const owner = useSyncExternalStore(ENDED.subscribe, ENDED.get);
  return owner === undefined ? null : (
    <Suspense>
      <LoginAgain owner={owner} />
    </Suspense>
  );
}
