import { Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useEffect, useState } from 'react';
import { nextPage, takeLinkWayOn } from '../live/wayOn.ts';
import { Door } from '../parts/frame/Door.tsx';
import { LoginCode } from '../parts/login/LoginCode.tsx';
import { LoginWait } from '../parts/login/LoginRefusal.tsx';
import { loginProblem } from '../parts/login/loginProblem.ts';
import { Page } from '../parts/Page.tsx';
import { isAwayProblem } from '../parts/problem/problemText.ts';
import { client, isLoggedIn, keepSession, type LoggedIn } from '../session.ts';
import { LOGIN } from '../words/en/login.ts';

/** Taken out of the address before anything is asked: it opens a session, and addresses are kept in histories. */
const GIVEN = new URLSearchParams(location.search);
if (GIVEN.has('token')) history.replaceState(null, '', location.pathname);

/** A token is good once: React draws a page twice while it is developed, and a person may come back. */
let exchange: ReturnType<typeof client.loginWithToken> | undefined;

interface Failure {
  text: string;
  /** As it came; absent where nothing was asked. */
  problem?: unknown;
  /** The invitation of the link, of somebody who has an account. */
  invitationId?: string | undefined;
  /** Absent where another try would fail, too. */
  again?: (() => void) | undefined;
}

const mayPass = (problem: unknown) =>
  isProblem(problem) && (problem.status === 0 || problem.status === 429 || problem.status >= 500);

/** The end of a login by provider, of a link, and of an invitation: `?token=…`, or `?error=…`. */
export function VerifyToken() {
  const navigate = useNavigate();
  const [sessionToken, setSessionToken] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  /** Who is logged in here already; a link may be for somebody else. */
  const [own, setOwn] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  /** `again`: does once more what was not answered, or put off. */
  const fail = (problem: unknown, again: () => void) => {
    const invitationId = isProblem(problem) ? problem.body.invitationId : undefined;
    if (invitationId !== undefined) return setFailure({ text: LOGIN.invited, invitationId });
    const text = isAwayProblem(problem) ? LOGIN.linkAway : loginProblem(problem, LOGIN.linkInvalid);
    setFailure({ text, problem, again: mayPass(problem) ? again : undefined });
  };
  const goIn = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const me = await client.getCurrentUser();
      // An invitation's link works once: a password brings its person back.
      const needsPassword = 'email' in me && !me.hasPassword && !me.hasSingleSignOn;
      if (needsPassword) return await navigate({ to: '/set-password', replace: true });
      const wanted = 'email' in me ? takeLinkWayOn(me.email) : undefined;
      await navigate({ href: nextPage(wanted), replace: true });
    } catch (problem) {
      fail(problem, () => void goIn());
    }
  };
  const enter = async (tokens: LoggedIn) => {
    keepSession(tokens);
    await goIn();
  };
  const take = (token: string) => {
    setFailure(undefined);
    setAsking(false);
    exchange ??= client.loginWithToken({ body: { token } });
    exchange.then(
      (answer) => ('sessionToken' in answer ? setSessionToken(answer.sessionToken) : void enter(answer)),
      (problem) =>
        fail(problem, () => {
          exchange = undefined;
          take(token);
        }),
    );
  };
  const look = async (token: string): Promise<void> => {
    setFailure(undefined);
    try {
      const me = await client.getCurrentUser();
      setOwn('email' in me ? me.email : me.apiKey.name);
      setAsking(true);
    } catch (problem) {
      if (isProblem(problem, 'UNAUTHENTICATED')) take(token);
      else fail(problem, () => void look(token));
    }
  };
  const token = GIVEN.get('token');
  useEffect(() => {
    const error = GIVEN.get('error');
    if (error !== null) return setFailure({ text: LOGIN.ssoFailed(error) });
    if (token === null) return setFailure({ text: LOGIN.linkCut });
    // A slip, or a link of somebody who means harm, would log another person in unseen, in all tabs.
    if (exchange === undefined && isLoggedIn()) void look(token);
    else take(token);
  }, []);
  if (sessionToken !== undefined) {
    return <LoginCode sessionToken={sessionToken} onDone={enter} onBack={() => void navigate({ to: '/login' })} />;
  }
  return (
    <Door>
      <Page title={LOGIN.title}>
        <div role="status">
          <Text style={{ overflowWrap: 'anywhere' }}>
            {failure?.text ?? (isAsking && own !== undefined ? LOGIN.already(own) : LOGIN.checking)}
          </Text>
        </div>
        <LoginWait failure={failure?.problem} />
        {failure === undefined && isAsking && token !== null && (
          <Stack mt="md" gap="sm">
            <Button renderRoot={(props) => <Link to="/" {...props} />}>{LOGIN.stay}</Button>
            <Button variant="default" onClick={() => take(token)}>
              {LOGIN.useLink}
            </Button>
          </Stack>
        )}
        {failure !== undefined && <Ways failure={failure} isLoggedIn={isLoggedIn()} />}
      </Page>
    </Door>
  );
}

/** Where a person goes on whose link has not let them in. */
function Ways({ failure: { again, invitationId }, isLoggedIn: isIn }: { failure: Failure; isLoggedIn: boolean }) {
  if (again !== undefined) {
    return (
      <Button fullWidth mt="md" onClick={again}>
        {LOGIN.tryAgain}
      </Button>
    );
  }
  return (
    <Stack mt="md" gap="sm">
      {isIn && (
        <Button
          renderRoot={(props) =>
            invitationId === undefined ? (
              <Link to="/" {...props} />
            ) : (
              <Link to="/settings/account" search={{ invitation: invitationId }} {...props} />
            )
          }
        >
          {invitationId === undefined ? LOGIN.stay : LOGIN.toInvitation}
        </Button>
      )}
      <Button
        variant={isIn ? 'default' : 'filled'}
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
    </Stack>
  );
}
