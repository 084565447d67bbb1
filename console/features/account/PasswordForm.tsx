import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { withProof } from '../../app/proof/proof.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { changePassword, refreshEverything } from './mutations.ts';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

interface PasswordFormProps {
  hasPassword: boolean;
  beside?: ReactNode;
  onDone: () => void;
}

export function PasswordForm({ hasPassword, beside, onDone }: PasswordFormProps) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () =>
      withProof(() => changePassword({ password, ...(hasPassword ? { currentPassword: current } : {}) })),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      await refreshEverything();
      onDone();
    },
  });
  const errors = isProblem(change.error) ? change.error.errors : [];
  const problemOf = (name: string) => errors.find(({ path }) => path === name)?.message;
  const isAtField = problemOf('password') !== undefined || problemOf('currentPassword') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        {hasPassword && (
          <PasswordInput
            label={words.current}
            autoComplete="current-password"
            required
            withAsterisk={false}
            error={problemOf('currentPassword')}
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label={words.new}
          description={words.newHelp}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={8}
          maxLength={1000}
          error={problemOf('password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {change.error !== null && !isAtField && <ProblemAlert error={change.error} />}
        <div style={{ display: 'flex', gap: '0.5rem' }}>
          <Button type="submit" loading={change.isPending}>
            {hasPassword ? words.change : words.set}
          </Button>
          {beside}
        </div>
      </Stack>
    </form>
  );
}
