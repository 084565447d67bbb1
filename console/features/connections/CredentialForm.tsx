import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useIsMutating, useMutation } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import type { ReactNode } from 'react';
import { staysOpen } from '../../app/dialog/ActDialog.tsx';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import {
  type ConnectionType,
  type Credentials,
  credentialsOf,
  fieldProblems,
  formFields,
  needsBrowser,
} from './queries.ts';
import { CONNECTIONS } from './words.ts';

const words = CONNECTIONS;

/** The app refused the credentials, so nothing was stored. The message is the reason. */
export class NotTaken extends Error {}

const SENDING = ['credentials'];

/** Keeps the dialog open while the app checks the credentials: its answer would be lost. */
export function useStaysOpen() {
  const isSending = useIsMutating({ mutationKey: SENDING }) > 0;
  return staysOpen(isSending);
}

interface CredentialFormProps {
  type: ConnectionType;
  button: string;
  children?: ReactNode;
  onSend: (credentials: Credentials, inBrowser: boolean) => Promise<void>;
}

export function CredentialForm({ type, button, children, onSend }: CredentialFormProps) {
  const send = useMutation({
    mutationKey: SENDING,
    mutationFn: async (values: Record<string, unknown>) =>
      await onSend(credentialsOf(type, values), needsBrowser(type, values)),
  });
  const problem = isProblem(send.error) ? send.error : undefined;
  const refusal = send.error instanceof NotTaken ? send.error.message : undefined;
  const atFields = fieldProblems(type, problem?.errors ?? [], refusal ?? problem?.errors[0]?.message);
  const isElsewhere = send.error !== null && Object.keys(atFields).length === 0;
  return (
    <Stack>
      {isElsewhere && refusal !== undefined && (
        <Alert role="alert" color="red" title={words.refused} styles={{ title: { color: 'var(--ink-bad)' } }}>
          <Text size="sm" c="var(--mantine-color-text)">
            {refusal}
          </Text>
        </Alert>
      )}
      {isElsewhere && refusal === undefined && <ProblemAlert error={send.error} />}
      <FieldForm
        key={type.connectionId}
        fields={formFields(type)}
        submitLabel={button}
        isBusy={send.isPending}
        problems={atFields}
        onSubmit={(values) => send.mutate(values)}
      >
        {children}
      </FieldForm>
    </Stack>
  );
}

interface ReplaceCredentialsProps {
  type: ConnectionType;
  title: string;
  onSend: (credentials: Credentials) => Promise<void>;
  onClose: () => void;
}

export function ReplaceCredentials({ type, title, onSend, onClose }: ReplaceCredentialsProps) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg" {...useStaysOpen()}>
      <Text mb="sm">{words.credentialsMean}</Text>
      <CredentialForm type={type} button={words.credentials} onSend={onSend} />
      <Button variant="default" mt="sm" onClick={onClose}>
        {WORDS.cancel}
      </Button>
    </Modal>
  );
}
