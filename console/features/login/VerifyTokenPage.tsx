import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { type FormEvent, useEffect, useState } from 'react';
import { Door } from '../../app/pages/Door.tsx';
import { nextPage, takePageAfterLink } from '../../app/session/pageAfterLogin.ts';
import { isLoggedIn, keepSession, type LoggedIn } from '../../app/session/session.ts';
import { isAwayProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoginCode } from './LoginCode.tsx';
import { LoginRefusal, LoginWait, loginProblem, useLoginAttempt } from './loginAttempt.tsx';
import { type LoginAnswer, logInWithToken } from './mutations.ts';
import { currentUser, type LoginTarget, readLoginToken } from './queries.ts';
import { LOGIN } from './words.ts';

/** Removed before any request: the token opens a session, and browsers store addresses in their history. */
const GIVEN = new URLSearchParams(location.search);
if (GIVEN.has('token')) history.replaceState(null, '', location.pathname);

/** For the two effects that React runs during development: a single sign-on token works once. */
let exchange: Promise<LoginAnswer> | undefined;

interface Failure {
  text: string;
  /** The error of the API; absent if nothing was requested. */
  problem?: unknown;
  /** The link's invitation, if the person already has an account. */
  invitationId?: string | undefined;
  /** Absent if another try would fail, too. */
  again?: (() => void) | undefined;
}

const mayPass = (problem: unknown) =>
  isProblem(problem) && (problem.status === 0 || problem.status === 429 || problem.status >= 500);

/** Completes a login by provider, link or invitation: `?token=…`, or `?error=…`. */
export function VerifyToken() {
  const navigate = useNavigate();
  const [sessionToken, setSessionToken] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [target, setTarget] = useState<LoginTarget>();
  /** The person who is already logged in here. The link may be for somebody else. */
  const [own, setOwn] = useState<string>();
  /** `again` repeats a request that was not answered or was throttled. */
  const fail = (problem: unknown, again: () => void) => {
    const invitationId = isProblem(problem) ? problem.body.invitationId : undefined;
    if (invitationId !== undefined) return setFailure({ text: LOGIN.invited, invitationId });
    const text = isAwayProblem(problem) ? LOGIN.linkAway : loginProblem(problem, LOGIN.linkInvalid);
    setFailure({ text, problem, again: mayPass(problem) ? again : undefined });
  };
  const goIn = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const me = await currentUser();
      // An invitation's link works once, so the person needs a password to log in again.
      const needsPassword = 'email' in me && !me.hasPassword && !me.hasSingleSignOn;
      if (needsPassword) return await navigate({ to: '/set-password', replace: true });
      const wanted = 'email' in me ? takePageAfterLink(me.email) : undefined;
      await navigate({ href: nextPage(wanted), replace: true });
    } catch (problem) {
      fail(problem, () => void goIn());
    }
  };
  const enter = async (tokens: LoggedIn) => {
    keepSession(tokens);
    await goIn();
  };
  const accept = async (answer: LoginAnswer) => {
    if ('sessionToken' in answer) setSessionToken(answer.sessionToken);
    else await enter(answer);
  };
  const take = (token: string) => {
    setFailure(undefined);
    setTarget(undefined);
    exchange ??= logInWithToken(token);
    exchange.then(accept, (problem) =>
      fail(problem, () => {
        exchange = undefined;
        take(token);
      }),
    );
  };
  const look = async (token: string): Promise<void> => {
    setFailure(undefined);
    try {
      const read = await readLoginToken(token);
      setOwn(isLoggedIn() ? await ownName() : undefined);
      // The person has just started this login here.
      if (read.isSingleSignOn && !isLoggedIn()) take(token);
      else setTarget(read);
    } catch (problem) {
      fail(problem, () => void look(token));
    }
  };
  const token = GIVEN.get('token');
  useEffect(() => {
    const error = GIVEN.get('error');
    if (error !== null) return setFailure({ text: LOGIN.ssoFailed(error) });
    if (token === null) return setFailure({ text: LOGIN.linkCut });
    if (exchange === undefined) void look(token);
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
            {failure?.text ?? (target === undefined ? LOGIN.checking : asked(target, own))}
          </Text>
        </div>
        <LoginWait failure={failure?.problem} />
        {failure === undefined && target !== undefined && token !== null && (
          <Stack mt="md" gap="sm">
            {own !== undefined && <Button renderRoot={(props) => <Link to="/" {...props} />}>{LOGIN.stay}</Button>}
            {target.needsPassword ? (
              <LinkPassword
                token={token}
                email={target.email}
                isSecondary={own !== undefined}
                onDone={accept}
                onVoid={(problem) => fail(problem, () => void look(token))}
              />
            ) : (
              // Asks before the account changes: the link may come from a stranger.
              <Button variant={own === undefined ? 'filled' : 'default'} onClick={() => take(token)}>
                {LOGIN.as(target.email)}
              </Button>
            )}
          </Stack>
        )}
        {failure !== undefined && <Ways failure={failure} isLoggedIn={isLoggedIn()} />}
      </Page>
    </Door>
  );
}

async function ownName(): Promise<string | undefined> {
  try {
    const me = await currentUser();
    return 'email' in me ? me.email : me.apiKey.name;
  } catch (problem) {
    if (isProblem(problem, 'UNAUTHENTICATED')) return undefined;
    throw problem;
  }
}

function asked({ email, workspace, needsPassword }: LoginTarget, own: string | undefined): string {
  const way = needsPassword ? LOGIN.invitedTo(workspace.name) : LOGIN.linkOf(email, workspace.name);
  return own === undefined ? way : `${LOGIN.already(own, email)} ${way}`;
}

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

interface LinkPasswordProps {
  token: string;
  email: string;
  isSecondary: boolean;
  onDone: (answer: LoginAnswer) => Promise<void>;
  /** Called if the link was used or has expired meanwhile. */
  onVoid: (problem: unknown) => void;
}

function LinkPassword({ token, email, isSecondary, onDone, onVoid }: LinkPasswordProps) {
  const [password, setPassword] = useState('');
  const { failure, isBusy, attempt } = useLoginAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      try {
        await onDone(await logInWithToken(token, password));
      } catch (problem) {
        // The API answers a wrong password and a used link alike.
        if (isProblem(problem, 'UNAUTHENTICATED') && !(await isGood(token))) return onVoid(problem);
        throw problem;
      }
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {/* Password managers read the account from it. */}
        <TextInput label={LOGIN.email} type="email" autoComplete="username" readOnly value={email} />
        <PasswordInput
          label={LOGIN.password}
          description={LOGIN.linkPasswordHelp}
          autoComplete="current-password"
          required
          withAsterisk={false}
          maxLength={1000}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <LoginRefusal failure={failure} wrong={LOGIN.linkPasswordWrong} />
        <Button type="submit" variant={isSecondary ? 'default' : 'filled'} loading={isBusy}>
          {LOGIN.as(email)}
        </Button>
      </Stack>
    </form>
  );
}

async function isGood(token: string): Promise<boolean> {
  try {
    await readLoginToken(token);
    return true;
  } catch (problem) {
    if (isProblem(problem, 'UNAUTHENTICATED')) return false;
    throw problem;
  }
}
