import { Button, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { useState } from 'react';
import { PERMISSIONS } from '../../../domain/access/permission.ts';
import { ME } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { RowMenu } from '../../ui/table/RowMenu.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type ApiKey, keyPages } from '../people/queries.ts';
import { CreateKeyDialog, RotateKeyDialog } from './KeyDialogs.tsx';
import { refreshKeys, revokeKey } from './mutations.ts';
import { API_KEYS } from './words.ts';
import '../../ui/settings.css';

const words = API_KEYS;

type Dialog = { kind: 'create' } | { kind: 'rotate' | 'revoke'; apiKey: ApiKey };

export function Keys() {
  const { data: me } = useQuery(ME);
  const pages = useInfiniteQuery(keyPages());
  const [dialog, setDialog] = useState<Dialog>();
  const [shown, setShown] = useState<Answer<'createApiKey'>>();
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const ownId = me !== undefined && 'email' in me ? me.id : undefined;
  const close = () => setDialog(undefined);
  const made = async (key: Answer<'createApiKey'>) => {
    setShown(key);
    await refreshKeys();
  };
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: words.columns.name,
      cell: ({ name, previousValidUntil }) => (
        <>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {previousValidUntil !== null && (
            <Text size="xs">
              {words.previous} <Moment at={previousValidUntil} />
            </Text>
          )}
        </>
      ),
    },
    { key: 'key', header: words.columns.key, cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      key: 'permissions',
      header: words.columns.permissions,
      title: ({ permissions }) => permissions.join('\n'),
      cell: ({ permissions }) => <Permissions permissions={permissions} />,
    },
    {
      key: 'used',
      header: words.columns.used,
      className: 'short',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? WORDS.never : <Moment at={lastUsedAt} />),
    },
    {
      key: 'expires',
      header: words.columns.expires,
      className: 'short',
      cell: ({ expiresAt }) => <Expiry at={expiresAt} />,
    },
    {
      key: 'by',
      header: words.columns.by,
      cell: ({ createdBy }) => createdBy?.name ?? words.operator,
    },
    {
      key: 'acts',
      card: 'corner',
      header: <span className="aloud">{WORDS.actions}</span>,
      className: 'acts',
      cell: (apiKey) => (
        <RowMenu
          name={apiKey.name}
          acts={[
            { label: words.rotate, onClick: () => setDialog({ kind: 'rotate', apiKey }) },
            { label: words.revoke, isDangerous: true, onClick: () => setDialog({ kind: 'revoke', apiKey }) },
          ]}
        />
      ),
    },
  ];
  return (
    <Page
      title={WORDS.navigation.settingsPages.keys}
      beside={<Button onClick={() => setDialog({ kind: 'create' })}>{words.create}</Button>}
    >
      <Listing pages={pages} empty={words.empty}>
        <DataTable label={WORDS.navigation.settingsPages.keys} columns={columns} rows={rows} />
      </Listing>
      {dialog?.kind === 'create' && <CreateKeyDialog own={me?.permissions ?? []} onMade={made} onClose={close} />}
      {dialog?.kind === 'rotate' && (
        <RotateKeyDialog
          apiKey={dialog.apiKey}
          isOwn={ownId !== undefined && dialog.apiKey.createdBy?.id === ownId}
          onMade={made}
          onClose={close}
        />
      )}
      {dialog?.kind === 'revoke' && (
        <ActDialog
          title={words.revokeTitle(dialog.apiKey.name)}
          means={words.revokeMeans}
          button={words.revoke}
          isDangerous
          onAct={async () => {
            await revokeKey(dialog.apiKey.id);
            done(words.revoked(dialog.apiKey.name));
          }}
          onClose={close}
        />
      )}
      {shown !== undefined && (
        <ShownOnce
          title={words.newKey(shown.name)}
          label={words.key}
          value={shown.apiKey}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  );
}

const MAX_NAMED = 2;

function Permissions({ permissions }: Pick<ApiKey, 'permissions'>) {
  if (permissions.length === PERMISSIONS.length) return words.all(permissions.length);
  return permissions.length <= MAX_NAMED ? permissions.join(', ') : words.count(permissions.length);
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return WORDS.never;
  return Date.parse(at) < Date.now() ? <Chip tone="bad">{words.expired}</Chip> : <Moment at={at} />;
}
