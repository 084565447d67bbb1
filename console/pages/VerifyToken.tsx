import { Button, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useEffect, useState } from 'react';
import { Door } from '../parts/Door.tsx';
import { LoginCode } from '../parts/LoginCode.tsx';
import { loginProblem } from '../parts/loginProblem.ts';
import { Page } from '../parts/Page.tsx';
import { client, keepSession, type LoggedIn } from '../session.ts';
import { LOGIN } from '../words/en/login.ts';

/** Taken out of the address before anything is asked: it opens a session, and addresses are kept in histories. */
const GIVEN = new URLSearchParams(location.search);
if (GIVEN.has('token')) history.replaceState(null, '', location.pathname);

/** A token is good once: React draws a page twice while it is developed, and a person may come back. */
let exchange: ReturnType<typeof client.loginWithToken> | undefined;

/** The end of a login by provider, of a link, and of an invitation: `?token=…`, or `?error=…`. */
export function VerifyToken() {
  const navigate = useNavigate();
  const [sessionToken, setSessionToken] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [invitationId, setInvitationId] = useState<string>();
  const enter = async (tokens: LoggedIn) => {
    keepSession(tokens);
    const me = await client.getCurrentUser();
    // An invitation's link works once: a password brings its person back.
    const needsPassword = 'email' in me && !me.hasPassword && !me.hasSingleSignOn;
    await navigate({ to: needsPassword ? '/set-password' : '/', replace: true });
  };
  useEffect(() => {
    const token = GIVEN.get('token');
    const error = GIVEN.get('error');
    if (error !== null) return setProblem(LOGIN.ssoFailed(error));
    if (token === null) return setProblem(LOGIN.linkCut);
    exchange ??= client.loginWithToken({ body: { token } });
    exchange.then(
      (answer) => ('sessionToken' in answer ? setSessionToken(answer.sessionToken) : void enter(answer)),
      (failure) => {
        const invited = isProblem(failure) ? failure.body.invitationId : undefined;
        setInvitationId(invited);
        setProblem(invited === undefined ? loginProblem(failure, LOGIN.linkInvalid) : LOGIN.invited);
      },
    );
  }, []);
  if (sessionToken !== undefined) {
    return <LoginCode sessionToken={sessionToken} onDone={enter} onBack={() => void navigate({ to: '/login' })} />;
  }
  return (
    <Door>
      <Page title={LOGIN.title}>
        <div role="status">
          <Text>{problem ?? LOGIN.checking}</Text>
        </div>
        {problem !== undefined && (
          <Button
            fullWidth
            mt="md"
            renderRoot={(props) => (
              <Link
                to="/login"
                search={invitationId === undefined ? {} : { next: `/settings/account?invitation=${invitationId}` }}
                {...props}
              />
            )}
          >
            {LOGIN.button}
          </Button>
        )}
      </Page>
    </Door>
  );
}
