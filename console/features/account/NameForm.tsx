import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { done } from '../../ui/notices/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { changeName, refreshEverything } from './mutations.ts';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

const MAX_NAME_LENGTH = 200;

export function NameForm({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const change = useMutation({
    mutationFn: () => changeName(wanted),
    onSuccess: async () => {
      setTyped(wanted);
      await refreshEverything();
      done(words.nameDone);
    },
  });
  const atField = isProblem(change.error) ? change.error.errors.find(({ path }) => path === 'name') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && wanted !== name) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="sm" mb="sm">
        <TextInput
          label={WORDS.name}
          description={words.nameHelp}
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={MAX_NAME_LENGTH}
          style={{ flex: '0 1 26rem' }}
          error={atField?.message}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={wanted === '' || wanted === name} loading={change.isPending}>
          {words.changeName}
        </Button>
      </Group>
      {change.error !== null && atField === undefined && <ProblemAlert error={change.error} />}
    </form>
  );
}
