import { Button, Checkbox, Group, Input, NativeSelect, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { useState } from 'react';
import { PERMISSIONS, type Permission } from '../../../domain/access/permission.ts';
import { ME } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { menuColumn } from '../../ui/table/RowMenu.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { createKey, refreshKeys, revokeKey, rotateKey } from './mutations.ts';
import { type ApiKey, keyPages } from './queries.ts';
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
    menuColumn((apiKey) => [
      { label: words.rotate, onClick: () => setDialog({ kind: 'rotate', apiKey }) },
      { label: words.revoke, isDangerous: true, onClick: () => setDialog({ kind: 'revoke', apiKey }) },
    ]),
  ];
  return (
    <Page
      title={WORDS.navigation.settingsPages.keys}
      beside={<Button onClick={() => setDialog({ kind: 'create' })}>{words.create}</Button>}
    >
      <Listing
        pages={pages}
        empty={
          <EmptyList means={words.empty}>
            <Button onClick={() => setDialog({ kind: 'create' })}>{words.first}</Button>
          </EmptyList>
        }
      >
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

const DAY_MS = 86_400_000;

interface KeyDialogProps {
  onMade: (key: Answer<'createApiKey'>) => Promise<void>;
  onClose: () => void;
}

function CreateKeyDialog({ own, onMade, onClose }: KeyDialogProps & { own: readonly Permission[] }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  // Fixed when it is chosen: a repeated request must have the same body, so that the key is created only once.
  const [expiresAt, setExpiry] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set());
  const permissions = PERMISSIONS.filter((permission) => chosen.has(permission));
  const act = async () => {
    const end = expiresAt === undefined ? {} : { expiresAt };
    await onMade(await createKey({ name: name.trim(), permissions, ...end }));
  };
  return (
    <ActDialog
      title={words.create}
      button={words.createButton}
      size="lg"
      isDisabled={name.trim() === '' || permissions.length === 0}
      onAct={act}
      onClose={onClose}
    >
      <TextInput
        label={WORDS.name}
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={words.permissions}
        description={words.permissionsHelp}
        value={permissions}
        onChange={(values) => setChosen(new Set(values as Permission[]))}
      >
        <Group gap="xs" my="xs">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setChosen(new Set(own.filter((permission) => permission.endsWith(':read'))))}
          >
            {words.reads}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setChosen(new Set())}>
            {words.none}
          </Button>
        </Group>
        <div className="permissions">
          {PERMISSIONS.map((permission) => (
            <Checkbox key={permission} value={permission} label={permission} disabled={!own.includes(permission)} />
          ))}
        </div>
      </Checkbox.Group>
      {permissions.length === 0 && <Input.Description>{words.needsOne}</Input.Description>}
      <NativeSelect
        label={words.expires}
        value={days}
        onChange={({ currentTarget: { value } }) => {
          setDays(value);
          setExpiry(value === '' ? undefined : new Date(Date.now() + Number(value) * DAY_MS).toISOString());
        }}
        data={Object.entries(words.expiries).map(([value, label]) => ({ value, label }))}
      />
    </ActDialog>
  );
}

/** Replaces the secret of a key. The old secret of somebody else's key ends at once. */
function RotateKeyDialog({ apiKey, isOwn, onMade, onClose }: KeyDialogProps & { apiKey: ApiKey; isOwn: boolean }) {
  const [graceMs, setGrace] = useState('0');
  return (
    <ActDialog
      title={words.rotateTitle(apiKey.name)}
      means={words.rotateMeans}
      button={words.rotate}
      onAct={async () =>
        await onMade(await rotateKey(apiKey.id, isOwn && graceMs !== '0' ? Number(graceMs) : undefined))
      }
      onClose={onClose}
    >
      {isOwn ? (
        <NativeSelect
          label={words.grace}
          value={graceMs}
          onChange={(event) => setGrace(event.currentTarget.value)}
          data={Object.entries(words.graces).map(([value, label]) => ({ value, label }))}
        />
      ) : (
        <Text>{words.othersKey}</Text>
      )}
    </ActDialog>
  );
}
