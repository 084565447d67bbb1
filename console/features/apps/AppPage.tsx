import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { CopyText } from '../../ui/CopyText.tsx';
import { Fact } from '../../ui/Fact.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { ConnectDialog } from '../connections/ConnectDialog.tsx';
import { ActionTable } from './ActionTable.tsx';
import { AppWorkers } from './AppWorkers.tsx';
import { DeleteAppDialog } from './DeleteAppDialog.tsx';
import { oneApp, storedApp } from './queries.ts';
import { APPS } from './words.ts';

const words = APPS;

export function AppPage() {
  const { appId } = useParams({ from: '/frame/apps/$appId' });
  const may = useMay();
  const query = useQuery(oneApp(appId));
  const app = query.data;
  const stored = useQuery({ ...storedApp(appId), enabled: app?.isCustom === true });
  const [dialog, setDialog] = useState<'delete' | 'connect'>();
  const close = () => setDialog(undefined);
  if (app === undefined) {
    return <UnreadyPage title={words.one} query={query} missing={words.notFound} list="/apps" />;
  }
  return (
    <Page
      title={app.name}
      beside={
        app.isCustom &&
        may('apps:write') && (
          <Button variant="default" c="var(--ink-bad)" onClick={() => setDialog('delete')}>
            {words.delete}
          </Button>
        )
      }
    >
      <Stack>
        {app.description !== '' && <Text maw={720}>{app.description}</Text>}
        <Group gap="lg">
          {app.isCustom && <Chip tone="neutral">{words.custom}</Chip>}
          <Fact name={words.columns.runs}>{words.runs[app.runsOn ?? 'builtIn']}</Fact>
          <Fact name={words.slug}>
            <code>{app.appId}</code>
          </Fact>
          {Object.entries(stored.data?.runs ?? {}).map(([key, value]) =>
            key in words.places && typeof value === 'string' ? (
              <Fact key={key} name={words.places[key as keyof typeof words.places]}>
                <code>{value}</code>
              </Fact>
            ) : null,
          )}
          {stored.data?.owner != null && <Fact name={words.owner}>{stored.data.owner}</Fact>}
          {stored.data?.updatedAt !== undefined && (
            <Fact name={words.updated}>
              <Moment at={stored.data.updatedAt} />
            </Fact>
          )}
          {app.digest !== undefined && (
            <Fact name={words.digest}>
              <CopyText size="compact-xs" text={app.digest} label={words.copyDigest} />
            </Fact>
          )}
        </Group>
        {stored.error !== null && <ProblemAlert error={stored.error} onRetry={() => void stored.refetch()} />}
        <AppWorkers app={app} taskQueue={stored.data?.runs?.taskQueue} />
        <section aria-label={words.actions.title}>
          <Title order={2} size="h4" mb="xs">
            {words.actions.title}
          </Title>
          <Text size="sm" mb="xs">
            {words.actions.repeatableMeans}
          </Text>
          <ActionTable actions={app.actions} />
        </section>
        <section aria-label={words.connections.title}>
          <Title order={2} size="h4" mb="xs">
            {words.connections.title}
          </Title>
          {app.connectionTypes.length === 0 ? (
            <Text size="sm">{words.connections.none}</Text>
          ) : (
            <Group gap="sm">
              {app.connectionTypes.map(({ connectionId, name }) => (
                <Chip key={connectionId} tone="neutral">
                  {name}
                </Chip>
              ))}
              {may('connections:write') && (
                <Button size="xs" variant="default" onClick={() => setDialog('connect')}>
                  {words.connections.connect}
                </Button>
              )}
            </Group>
          )}
        </section>
      </Stack>
      {dialog === 'connect' && <ConnectDialog chosen={app.appId} onClose={close} />}
      {dialog === 'delete' && <DeleteAppDialog app={app} onClose={close} />}
    </Page>
  );
}
