import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { SENDS_MAIL } from '../../app/session/sendsMail.ts';
import type { LoggedIn } from '../../app/session/session.ts';
import { invitersOf, LoginRefusal, useLoginAttempt } from './loginAttempt.tsx';
import { logIn, requestLoginLink } from './mutations.ts';
import { ssoProviders } from './queries.ts';
import { LOGIN } from './words.ts';

interface LoginFormProps {
  email?: string | undefined;
  /** The workspace to log in to; otherwise the one that the person joined first. */
  workspaceId?: string;
  /** `hasAccepted`: the login also accepts an invitation. */
  onDone: (tokens: LoggedIn, how: { hasAccepted: boolean }) => Promise<void>;
  onCode: (sessionToken: string, how: { hasAccepted: boolean }) => void;
  onProvider?: () => void;
  onLink?: (email: string) => void;
  /** Keeps the page: providers open in another tab. */
  isOverPage?: boolean;
}

export function LoginForm({
  email: known = '',
  workspaceId,
  onDone,
  onCode,
  onProvider,
  onLink,
  isOverPage = false,
}: LoginFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [notice, setNotice] = useState<string>();
  const { failure, isBusy, attempt } = useLoginAttempt();
  const { data: providers = [] } = useQuery(ssoProviders());
  const isOnlyByProvider = providers.some(({ passwordAuthDisabled }) => passwordAuthDisabled);
  const enter = (place: { workspaceId?: string }, hasAccepted: boolean) =>
    void attempt(async () => {
      const answer = await logIn({ email, password, ...place });
      if ('sessionToken' in answer) onCode(answer.sessionToken, { hasAccepted });
      else await onDone(answer, { hasAccepted });
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The workspaces of another account are not known here.
    enter(workspaceId === undefined || email !== known ? {} : { workspaceId }, false);
  };
  const sendLink = () =>
    void attempt(async () => {
      await requestLoginLink(email);
      onLink?.(email);
      setNotice(LOGIN.linkSent(email));
    });
  return (
    <Stack>
      {!isOnlyByProvider && (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={LOGIN.email}
              type="email"
              autoComplete="username"
              data-autofocus={known === '' || undefined}
              required
              withAsterisk={false}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label={LOGIN.password}
              autoComplete="current-password"
              data-autofocus={known !== '' || undefined}
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <LoginRefusal failure={failure} wrong={LOGIN.wrong} />
            {invitersOf(failure).map(({ id, name }) => (
              <Button key={id} disabled={isBusy} onClick={() => enter({ workspaceId: id }, true)}>
                {LOGIN.accept(name)}
              </Button>
            ))}
            <Button type="submit" loading={isBusy}>
              {LOGIN.button}
            </Button>
            <div role="status">{notice !== undefined && <Text size="sm">{notice}</Text>}</div>
            {SENDS_MAIL && (
              <Button variant="subtle" disabled={email === ''} onClick={sendLink}>
                {LOGIN.sendLink}
              </Button>
            )}
          </Stack>
        </form>
      )}
      <ProviderLinks providers={providers} isOnly={isOnlyByProvider} isOverPage={isOverPage} onLeave={onProvider} />
    </Stack>
  );
}

interface ProviderLinksProps {
  providers: readonly { id: string; name: string; loginUrl: string }[];
  isOnly: boolean;
  /** Keeps the page: providers open in another tab. */
  isOverPage: boolean;
  onLeave?: (() => void) | undefined;
}

function ProviderLinks({ providers, isOnly, isOverPage, onLeave }: ProviderLinksProps) {
  if (providers.length === 0) return null;
  return (
    <>
      <Text size="sm" ta="center">
        {isOnly ? LOGIN.onlyByProvider : LOGIN.or}
      </Text>
      {providers.map(({ id, name, loginUrl }) => (
        <Anchor
          key={id}
          href={loginUrl}
          ta="center"
          onClick={onLeave}
          {...(isOverPage && { target: '_blank', rel: 'noopener' })}
        >
          {LOGIN.with(name)}
        </Anchor>
      ))}
      {isOverPage && (
        <Text size="sm" ta="center">
          {LOGIN.again.elsewhere}
        </Text>
      )}
    </>
  );
}
