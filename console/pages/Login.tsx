import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Door } from '../parts/Door.tsx';
import { LoginCode } from '../parts/LoginCode.tsx';
import { loginProblem } from '../parts/loginProblem.ts';
import { Page } from '../parts/Page.tsx';
import { client, keepSession } from '../session.ts';
import { WORDS } from '../words/en.ts';

/** In: by password and second factor, by a provider, or by a link that comes by mail. */
export function Login() {
  const { next, ended, error } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [sessionToken, setSessionToken] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { data: providers = [] } = useQuery({
    queryKey: ['listSsoProviders'],
    queryFn: ({ signal }) => client.listSsoProviders({ signal }),
  });
  const enter = async (tokens: Parameters<typeof keepSession>[0]) => {
    keepSession(tokens);
    await navigate({ href: nextPage(next), replace: true });
  };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (failure) {
      setProblem(loginProblem(failure, WORDS.login.wrong));
    } finally {
      setBusy(false);
    }
  };
  const logIn = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const answer = await client.login({ body: { email, password } });
      if ('sessionToken' in answer) setSessionToken(answer.sessionToken);
      else await enter(answer);
    });
  };
  const sendLink = () =>
    void attempt(async () => {
      await client.requestLoginLink({ body: { email } });
      setNotice(WORDS.login.linkSent(email));
    });
  if (sessionToken !== undefined) {
    return <LoginCode sessionToken={sessionToken} onDone={enter} onBack={() => setSessionToken(undefined)} />;
  }
  return (
    <Door>
      <Page title={WORDS.login.title}>
        <Stack>
          {ended !== undefined && <Text size="sm">{WORDS.login.ended}</Text>}
          {error !== undefined && <Alert color="red">{WORDS.login.ssoFailed(error)}</Alert>}
          <form onSubmit={logIn}>
            <Stack>
              <TextInput
                label={WORDS.login.email}
                type="email"
                autoComplete="username"
                data-autofocus
                required
                withAsterisk={false}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <PasswordInput
                label={WORDS.login.password}
                autoComplete="current-password"
                required
                withAsterisk={false}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              <div role="alert">{problem !== undefined && <Text c="var(--ink-bad)">{problem}</Text>}</div>
              <Button type="submit" loading={isBusy}>
                {WORDS.login.button}
              </Button>
              <div role="status">{notice !== undefined && <Text size="sm">{notice}</Text>}</div>
              <Button variant="subtle" disabled={email === ''} onClick={sendLink}>
                {WORDS.login.sendLink}
              </Button>
            </Stack>
          </form>
          {providers.length > 0 && <Divider label={WORDS.login.or} />}
          {providers.map(({ id, name, loginUrl }) => (
            <Anchor key={id} href={loginUrl} ta="center">
              {WORDS.login.with(name)}
            </Anchor>
          ))}
        </Stack>
      </Page>
    </Door>
  );
}

/** A page of the console alone: an address elsewhere would lead people away with a login page's blessing. */
export function nextPage(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? next : '/';
}
