import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { ME } from '../api/me.ts';
import { client } from '../session/session.ts';
import type { ProofWanted } from './proof.ts';
import { PROOF } from './words.ts';

const words = PROOF;

/** Above the dialog of the action that needs the proof. */
const ABOVE = 400;

export function ProofForm({ wanted }: { wanted: ProofWanted }) {
  const { data: me } = useQuery(ME);
  const person = me !== undefined && 'email' in me ? me : undefined;
  const [byCode, setByCode] = useState(false);
  const [text, setText] = useState('');
  const isCode = byCode || person?.hasPassword === false;
  const prove = useMutation({
    mutationFn: () => client.confirm({ body: isCode ? { token: text.trim() } : { password: text } }),
    onSuccess: wanted.given,
  });
  const canProve = person === undefined || person.hasPassword || person.twoFactorEnabled;
  const hasBoth = person?.hasPassword === true && person.twoFactorEnabled;
  const isWrong = isProblem(prove.error) && prove.error.status === 400;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate();
  };
  const change = (value: string) => {
    prove.reset();
    setText(value);
  };
  return (
    <Modal opened onClose={wanted.dismissed} title={words.title} zIndex={ABOVE}>
      {canProve ? (
        <form onSubmit={submit}>
          <Stack>
            <Text>{words.means}</Text>
            {isCode ? (
              <TextInput
                label={words.code}
                description={words.codeHelp}
                autoComplete="one-time-code"
                data-autofocus
                required
                withAsterisk={false}
                error={isWrong && words.wrong}
                value={text}
                onChange={(event) => change(event.currentTarget.value)}
              />
            ) : (
              <PasswordInput
                label={words.password}
                autoComplete="current-password"
                data-autofocus
                required
                withAsterisk={false}
                error={isWrong && words.wrong}
                value={text}
                onChange={(event) => change(event.currentTarget.value)}
              />
            )}
            {prove.error !== null && !isWrong && <ProblemAlert error={prove.error} />}
            <Group justify="flex-end">
              {hasBoth && (
                <Button
                  variant="subtle"
                  mr="auto"
                  onClick={() => {
                    change('');
                    setByCode(!byCode);
                  }}
                >
                  {byCode ? words.usePassword : words.useCode}
                </Button>
              )}
              <Button type="submit" loading={prove.isPending}>
                {words.button}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Text>{person.hasSingleSignOn ? words.byProvider : words.none}</Text>
      )}
    </Modal>
  );
}
