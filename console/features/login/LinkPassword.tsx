import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { LoginRefusal } from './LoginRefusal.tsx';
import { type LoginAnswer, logInWithToken } from './mutations.ts';
import { readLoginToken } from './queries.ts';
import { useLoginAttempt } from './useLoginAttempt.ts';
import { LOGIN } from './words.ts';

interface LinkPasswordProps {
  token: string;
  email: string;
  isSecondary: boolean;
  onDone: (answer: LoginAnswer) => Promise<void>;
  /** Called if the link was used or has expired meanwhile. */
  onVoid: (problem: unknown) => void;
}

export function LinkPassword({ token, email, isSecondary, onDone, onVoid }: LinkPasswordProps) {
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
