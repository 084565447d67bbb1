import { Alert, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { Door } from '../../app/pages/Door.tsx';
import {
  keepPageAfterLink,
  keepPageAfterLogin,
  nextPage,
  takePageAfterLogin,
} from '../../app/session/pageAfterLogin.ts';
import { keepSession, type LoggedIn } from '../../app/session/session.ts';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { Page } from '../../ui/Page.tsx';
import { LoginForm } from './LoginForm.tsx';
import { LOGIN } from './words.ts';

const LoginCode = lazyPart(() => import('./LoginCode.tsx'), 'LoginCode');

export function Login() {
  const { next, ended, error } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const [half, setHalf] = useState<{ sessionToken: string; hasAccepted: boolean }>();
  const enter = async (tokens: LoggedIn, { hasAccepted = false } = {}) => {
    keepSession(tokens);
    // Left by a failed try to log in through a provider.
    const before = takePageAfterLogin();
    // After accepting an invitation, the page that asked for it has nothing left to do.
    await navigate({ href: hasAccepted ? '/' : nextPage(next ?? before), replace: true });
  };
  if (half !== undefined) {
    return (
      <Suspense>
        <LoginCode
          sessionToken={half.sessionToken}
          onDone={(tokens) => enter(tokens, half)}
          onBack={() => setHalf(undefined)}
        />
      </Suspense>
    );
  }
  return (
    <Door>
      <Page title={LOGIN.title}>
        <Stack>
          {ended !== undefined && <Text size="sm">{LOGIN.ended}</Text>}
          {error !== undefined && <Alert color="red">{LOGIN.ssoFailed(error)}</Alert>}
          <LoginForm
            onDone={enter}
            onCode={(sessionToken, how) => setHalf({ sessionToken, ...how })}
            onProvider={() => next !== undefined && keepPageAfterLogin(next)}
            onLink={(email) => keepPageAfterLink(email, next)}
          />
        </Stack>
      </Page>
    </Door>
  );
}
