import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetNotices } from './live/noticeChoice.ts';
import { forgetOutboxes } from './live/outbox.ts';
import { NONCE } from './nonce.ts';
import { QUERIES } from './queries.ts';
import { ROUTER } from './router.tsx';
import { onSessionEnd } from './session.ts';
import { THEME } from './theme.ts';

onSessionEnd(() => {
  forgetOutboxes();
  forgetNotices();
  QUERIES.clear();
  const { href, pathname } = ROUTER.state.location;
  if (pathname === '/login' || pathname === '/verify-token') return;
  void ROUTER.navigate({ to: '/login', search: { next: href, ended: 'yes' } });
});

const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no element for the console');
createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={THEME} defaultColorScheme="auto" getStyleNonce={() => NONCE}>
      <QueryClientProvider client={QUERIES}>
        <Notifications position="bottom-right" />
        <RouterProvider router={ROUTER} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
