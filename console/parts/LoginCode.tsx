import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { client, type keepSession } from '../session.ts';
import { WORDS } from '../words/en.ts';
import { Door } from './Door.tsx';
import { loginProblem } from './loginProblem.ts';
import { Page } from './Page.tsx';

interface LoginCodeProps {
  sessionToken: string;
  onDone: (tokens: Parameters<typeof keepSession>[0]) => Promise<void>;
  onBack: () => void;
}

/** The second step of a login: six digits of the person's app, or a backup code. */
export function LoginCode({ sessionToken, onDone, onBack }: LoginCodeProps) {
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
      setProblem(loginProblem(failure, WORDS.login.wrongCode));
      setBusy(false);
    }
  };
  return (
    <Door>
      <Page title={WORDS.login.codeTitle}>
        <form onSubmit={(event) => void confirm(event)}>
          <Stack>
            <TextInput
              label={WORDS.login.code}
              description={WORDS.login.codeHelp}
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
              {WORDS.login.codeButton}
            </Button>
            <Anchor component="button" type="button" onClick={onBack}>
              {WORDS.login.back}
            </Anchor>
          </Stack>
        </form>
      </Page>
    </Door>
  );
}
