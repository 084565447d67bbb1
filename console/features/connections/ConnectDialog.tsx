import { Alert, Button, Checkbox, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type ReactNode, useState } from 'react';
import { staysOpen } from '../../app/dialog/ActDialog.tsx';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { connectApp, connectInBrowser, refreshConnections } from './mutations.ts';
import {
  type ConnectionType,
  type Credentials,
  connectableApps,
  credentialsOf,
  fieldProblems,
  formFields,
  needsBrowser,
} from './queries.ts';
import { CONNECTIONS } from './words.ts';

const words = CONNECTIONS;

/** `chosen`: the app to connect; otherwise the person chooses one. */
export function ConnectDialog({ chosen = '', onClose }: { chosen?: string; onClose: () => void }) {
  const apps = useQuery(connectableApps());
  const [appId, setAppId] = useState(chosen);
  const [typeId, setTypeId] = useState('');
  const [name, setName] = useState('');
  const [isDefault, setDefault] = useState(false);
  const [isManaged, setManaged] = useState(false);
  const app = apps.data?.find((each) => each.appId === appId);
  const type = app?.connectionTypes.find(({ connectionId }) => connectionId === typeId) ?? app?.connectionTypes[0];
  const send = async (credentials: Credentials, inBrowser: boolean) => {
    if (type === undefined) return;
    const path = { appId, connectionId: type.connectionId };
    const body = { ...(name.trim() === '' ? {} : { name: name.trim() }), isDefault, isManaged, credentials };
    if (inBrowser) {
      await connectInBrowser(path, body);
      return;
    }
    const answer = await connectApp(path, body);
    if (answer.status === 'failed') throw new NotTaken(answer.message ?? words.refused);
    await refreshConnections();
    done(words.connected(answer.name));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={words.connect} size="lg" {...useStaysOpen()}>
      <Stack>
        {apps.error !== null && <ProblemAlert error={apps.error} onRetry={() => void apps.refetch()} />}
        {apps.isPending && <Loading height={120} />}
        {apps.data !== undefined && (
          <NativeSelect
            label={words.app}
            data-autofocus
            value={appId}
            onChange={(event) => {
              setAppId(event.currentTarget.value);
              setTypeId('');
            }}
            data={[
              { value: '', label: words.chooseApp },
              ...apps.data.map((each) => ({ value: each.appId, label: each.name })),
            ]}
          />
        )}
        {app !== undefined && <Text size="sm">{app.description}</Text>}
        {app !== undefined && app.connectionTypes.length > 1 && (
          <NativeSelect
            label={words.kind}
            value={type?.connectionId ?? ''}
            onChange={(event) => setTypeId(event.currentTarget.value)}
            data={app.connectionTypes.map(({ connectionId, name: label }) => ({ value: connectionId, label }))}
          />
        )}
        {type !== undefined && (
          <CredentialForm
            key={`${appId} ${type.connectionId}`}
            type={type}
            button={type.type === 'oauth2' ? words.authorize : words.button}
            onSend={send}
          >
            <TextInput
              label={WORDS.optional(WORDS.name)}
              description={words.nameHelp}
              placeholder={type.name}
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Checkbox
              label={words.isDefault}
              checked={isDefault}
              onChange={(event) => setDefault(event.currentTarget.checked)}
            />
            <Checkbox
              label={words.isManaged}
              checked={isManaged}
              onChange={(event) => setManaged(event.currentTarget.checked)}
            />
          </CredentialForm>
        )}
      </Stack>
    </Modal>
  );
}

/** The app refused the credentials, so nothing was stored. The message is the reason. */
class NotTaken extends Error {}

const SENDING = ['credentials'];

/** Keeps the dialog open while the app checks the credentials: its answer would be lost. */
function useStaysOpen() {
  const isSending = useIsMutating({ mutationKey: SENDING }) > 0;
  return staysOpen(isSending);
}

interface CredentialFormProps {
  type: ConnectionType;
  button: string;
  children?: ReactNode;
  onSend: (credentials: Credentials, inBrowser: boolean) => Promise<void>;
}

function CredentialForm({ type, button, children, onSend }: CredentialFormProps) {
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
