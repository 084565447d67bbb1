import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { client, type LoggedIn } from '../session.ts';
import { LOGIN } from '../words/en/login.ts';
import { loginProblem } from './loginProblem.ts';

export interface LoginCodeProps {
  sessionToken: string;
  onDone: (tokens: LoggedIn) => Promise<void>;
  onBack: () => void;
}

/** The second step of a login: six digits of the person's app, or a backup code. */
export function LoginCodeForm({ sessionToken, onDone, onBack }: LoginCodeProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await onDone(await client.verifyLogin({ body: { sessionToken, token: code.trim() } }));
    } catch (failure) {
      setProblem(loginProblem(failure, LOGIN.wrongCode));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void confirm(event)}>
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
        <div role="alert">{problem !== undefined && <Text c="var(--ink-bad)">{problem}</Text>}</div>
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
