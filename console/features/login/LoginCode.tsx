import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Door } from '../../app/pages/Door.tsx';
import type { LoggedIn } from '../../app/session/session.ts';
import { Page } from '../../ui/Page.tsx';
import { LoginRefusal, useLoginAttempt } from './loginAttempt.tsx';
import { verifyLogin } from './mutations.ts';
import { LOGIN } from './words.ts';

export function LoginCode(props: LoginCodeProps) {
  return (
    <Door>
      <Page title={LOGIN.codeTitle}>
        <LoginCodeForm {...props} />
      </Page>
    </Door>
  );
}

interface LoginCodeProps {
  sessionToken: string;
  onDone: (tokens: LoggedIn) => Promise<void>;
  onBack: () => void;
}

export function LoginCodeForm({ sessionToken, onDone, onBack }: LoginCodeProps) {
  const [code, setCode] = useState('');
  const { failure, isBusy, attempt } = useLoginAttempt();
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => onDone(await verifyLogin(sessionToken, code.trim())));
  };
  return (
    <form onSubmit={confirm}>
      <Stack>
        <TextInput
          label={LOGIN.code}
          description={LOGIN.codeHelp}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <LoginRefusal failure={failure} wrong={LOGIN.wrongCode} />
        <Button type="submit" loading={isBusy}>
          {LOGIN.codeButton}
        </Button>
        <Anchor component="button" type="button" onClick={onBack}>
          {LOGIN.back}
        </Anchor>
      </Stack>
    </form>
  );
}
