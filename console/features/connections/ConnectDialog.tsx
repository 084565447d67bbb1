import { Checkbox, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { CredentialForm, NotTaken, useStaysOpen } from './CredentialForm.tsx';
import { connectApp, connectInBrowser, refreshConnections } from './mutations.ts';
import { type Credentials, connectableApps } from './queries.ts';
import { CONNECTIONS } from './words.ts';

const words = CONNECTIONS;

export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const apps = useQuery(connectableApps());
  const [appId, setAppId] = useState('');
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
