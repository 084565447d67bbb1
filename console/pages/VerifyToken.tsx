import { Anchor, Card, Center, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LoginCode } from '../parts/LoginCode.tsx';
import { loginProblem } from '../parts/loginProblem.ts';
import { Page } from '../parts/Page.tsx';
import { client, keepSession } from '../session.ts';
import { WORDS } from '../words/en.ts';

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
  const enter = async (tokens: Parameters<typeof keepSession>[0]) => {
    keepSession(tokens);
    await navigate({ to: '/', replace: true });
  };
  useEffect(() => {
    const token = GIVEN.get('token');
    const error = GIVEN.get('error');
    if (error !== null) return setProblem(WORDS.login.ssoFailed(error));
    if (token === null) return setProblem(WORDS.login.linkInvalid);
    exchange ??= client.loginWithToken({ body: { token } });
    exchange.then(
      (answer) => ('sessionToken' in answer ? setSessionToken(answer.sessionToken) : void enter(answer)),
      (failure) => setProblem(loginProblem(failure, WORDS.login.linkInvalid)),
    );
  }, []);
  if (sessionToken !== undefined) {
    return <LoginCode sessionToken={sessionToken} onDone={enter} onBack={() => void navigate({ to: '/login' })} />;
  }
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card withBorder w="100%" maw={400} padding="xl">
        <Page title={WORDS.login.title}>
          <div role="status">
            <Text>{problem ?? WORDS.login.checking}</Text>
          </div>
          {problem !== undefined && (
            <Anchor component={Link} to="/login">
              {WORDS.login.button}
            </Anchor>
          )}
        </Page>
      </Card>
    </Center>
  );
}
