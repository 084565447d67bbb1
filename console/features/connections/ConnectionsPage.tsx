import { Alert, Button, Checkbox, Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../../app/api/me.ts';
import { useNewForm } from '../../app/pages/newForms.ts';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ConnectDialog } from './ConnectDialog.tsx';
import { ConnectionTable } from './ConnectionTable.tsx';
import { type Connection, connectableApps, connectionPages } from './queries.ts';
import { CONNECTIONS } from './words.ts';
import '../../ui/settings.css';

type Search = SearchOf<'/frame/settings/connections'>;

const words = CONNECTIONS;

/** Connections by app. OAuth2 providers redirect back here with `?connected=` or `?error=`. */
export function Connections() {
  const search = useSearch({ from: '/frame/settings/connections' });
  const navigate = useNavigate();
  const may = useMay();
  const pages = useInfiniteQuery(connectionPages(search.app, search.all === 'true'));
  const apps = useQuery({ ...connectableApps(), enabled: may('workflows:read') });
  const mayWrite = may('connections:write');
  const form = useNewForm(mayWrite);
  const set = (change: Search) =>
    void navigate({ to: '/settings/connections', search: { ...search, ...change }, replace: true });
  const nameOf = (appId: string) => apps.data?.find((app) => app.appId === appId)?.name ?? appId;
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Page
      title={WORDS.navigation.settingsPages.connections}
      beside={mayWrite && <Button onClick={form.open}>{words.connect}</Button>}
    >
      <Stack>
        <Came search={search} onClose={() => set({ connected: undefined, error: undefined })} />
        {may('workspace:admin') && (
          <Checkbox
            label={words.all}
            checked={search.all === 'true'}
            onChange={(event) => set({ all: event.currentTarget.checked ? 'true' : undefined })}
          />
        )}
        <Listing
          pages={pages}
          empty={
            <EmptyList means={words.empty}>{mayWrite && <Button onClick={form.open}>{words.first}</Button>}</EmptyList>
          }
        >
          {byApp(rows).map(([appId, ofApp]) => (
            <section key={appId}>
              <Title order={2} size="h4" mb={4}>
                {nameOf(appId)}
              </Title>
              <ConnectionTable
                label={nameOf(appId)}
                rows={ofApp}
                types={apps.data?.find((app) => app.appId === appId)?.connectionTypes ?? []}
              />
            </section>
          ))}
        </Listing>
      </Stack>
      {form.isOpen && <ConnectDialog onClose={form.close} />}
    </Page>
  );
}

function Came({ search: { connected, error }, onClose }: { search: Search; onClose: () => void }) {
  if (connected === undefined && error === undefined) return null;
  const isGood = error === undefined;
  return (
    <Alert
      role={isGood ? 'status' : 'alert'}
      color={isGood ? 'green' : 'red'}
      withCloseButton
      closeButtonLabel={words.close}
      onClose={onClose}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      {isGood ? words.authorized : (words.errors[error] ?? words.failedWith(error))}
    </Alert>
  );
}

function byApp(rows: readonly Connection[]): [appId: string, rows: Connection[]][] {
  const apps = new Map<string, Connection[]>();
  for (const row of rows) {
    const appId = row.workflowAppId ?? '';
    apps.set(appId, [...(apps.get(appId) ?? []), row]);
  }
  return [...apps];
}
