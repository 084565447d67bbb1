import { Alert, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../loaded.ts';
import { Door } from '../parts/Door.tsx';
import { LoginForm } from '../parts/LoginForm.tsx';
import { Page } from '../parts/Page.tsx';
import { keepSession, type LoggedIn } from '../session.ts';
import { LOGIN } from '../words/en/login.ts';

const LoginCode = lazyPart(
  () => import('../parts/LoginCode.tsx'),
  ({ LoginCode }) => LoginCode,
);

/** In: by password and second factor, by a provider, or by a link that comes by mail. */
export function Login() {
  const { next, ended, error } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [sessionToken, setSessionToken] = useState<string>();
  const enter = async (tokens: LoggedIn) => {
    keepSession(tokens);
    await navigate({ href: nextPage(next), replace: true });
  };
  if (sessionToken !== undefined) {
    return (
      <Suspense>
        <LoginCode sessionToken={sessionToken} onDone={enter} onBack={() => setSessionToken(undefined)} />
      </Suspense>
    );
  }
  return (
    <Door>
      <Page title={LOGIN.title}>
        <Stack>
          {ended !== undefined && <Text size="sm">{LOGIN.ended}</Text>}
          {error !== undefined && <Alert color="red">{LOGIN.ssoFailed(error)}</Alert>}
          <LoginForm onDone={enter} onCode={setSessionToken} />
        </Stack>
      </Page>
    </Door>
  );
}

/** A page of the console alone: an address elsewhere would lead people away with a login page's blessing. */
export function nextPage(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? next : '/';
}
