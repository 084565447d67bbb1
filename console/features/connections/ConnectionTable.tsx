import { Button, Checkbox, Group, MultiSelect, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconStar, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { ROLES } from '../../../domain/access/permission.ts';
import { referenceText } from '../../../domain/bundle/slugReference.ts';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { copyText } from '../../ui/CopyText.tsx';
import { done, failed, underWay, warned } from '../../ui/notices.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { menuColumn } from '../../ui/table/RowMenu.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { usedBy } from '../../ui/UsedBy.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { allKeys } from '../keys/queries.ts';
import { allPeople } from '../people/queries.ts';
import { ReplaceCredentials } from './ConnectDialog.tsx';
import {
  assignConnection,
  connectInBrowser,
  deleteConnection,
  refreshConnections,
  testConnection,
  updateConnection,
} from './mutations.ts';
import type { Connection, ConnectionType, Subject } from './queries.ts';
import { CONNECTIONS } from './words.ts';

const words = CONNECTIONS;

type Dialog = 'rename' | 'credentials' | 'assign' | 'delete';

interface ConnectionTableProps {
  label: string;
  rows: readonly Connection[];
  types: readonly ConnectionType[];
}

export function ConnectionTable({ label, rows, types }: ConnectionTableProps) {
  const mayWrite = useMay()('connections:write');
  const [open, setOpen] = useState<{ dialog: Dialog; connection: Connection }>();
  const typeOf = ({ connectionId }: Connection) => types.find((type) => type.connectionId === connectionId);
  const attempt = (work: () => Promise<void>) => void work().catch(failed);
  const test = async ({ id, name }: Connection) => {
    const end = underWay(words.testing(name));
    const { status, message = '' } = await testConnection(id).finally(end);
    await refreshConnections();
    if (status === 'connected') done(words.works(name));
    else failed(new Error(words.worksNot(name, message)));
  };
  const renew = async (connection: Connection) => {
    const { id, workflowAppId = '', connectionId = '' } = connection;
    try {
      await connectInBrowser({ appId: workflowAppId, connectionId }, { connectionToRenew: id });
    } catch (error) {
      if (!actsForItself(error)) throw error;
      warned(words.actsForItself);
      setOpen({ dialog: 'credentials', connection });
    }
  };
  /** Copies the reference that project files use. */
  const copy = async (slug = '') => {
    const reference = referenceText({ kind: 'connection', slug });
    await copyText(reference);
    done(words.copied(reference));
  };
  const actsOf = (row: Connection) => [
    { label: words.test, onClick: () => attempt(() => test(row)) },
    { label: words.rename, onClick: () => setOpen({ dialog: 'rename', connection: row }) },
    ...(row.isDefault
      ? []
      : [
          {
            label: words.makeDefault,
            onClick: () =>
              attempt(async () => {
                await updateConnection(row.id, { isDefault: true });
                done(words.nowDefault(row.name));
              }),
          },
        ]),
    ...(typeOf(row)?.type === 'oauth2' ? [{ label: words.renew, onClick: () => attempt(() => renew(row)) }] : []),
    ...(typeOf(row) === undefined
      ? []
      : [{ label: words.credentials, onClick: () => setOpen({ dialog: 'credentials', connection: row }) }]),
    { label: words.assign, onClick: () => setOpen({ dialog: 'assign', connection: row }) },
    ...(row.slug === undefined ? [] : [{ label: words.copyReference, onClick: () => attempt(() => copy(row.slug)) }]),
    {
      label: WORDS.delete,
      isDangerous: true,
      onClick: () => setOpen({ dialog: 'delete', connection: row }),
    },
  ];
  const columns: Column<Connection>[] = [
    {
      key: 'name',
      header: words.columns.name,
      cell: (row) => (
        <Group gap={6}>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {row.name}
          </Text>
          {row.isDefault && (
            <Chip tone="neutral" icon={IconStar}>
              {words.default}
            </Chip>
          )}
          {row.isManaged === true && (
            <Chip tone="neutral" icon={IconUsers}>
              {words.assignedTo(row.assignments?.length ?? 0)}
            </Chip>
          )}
        </Group>
      ),
    },
    { key: 'kind', header: words.columns.kind, cell: (row) => typeOf(row)?.name ?? row.connectionId },
    {
      key: 'status',
      header: words.columns.status,
      cell: (row) => {
        const { status = 'connected' } = row;
        const isGood = status === 'connected';
        return (
          <Group gap="xs">
            <Chip tone={isGood ? 'good' : 'bad'} icon={isGood ? IconCheck : IconAlertTriangle}>
              {words.status[status]}
            </Chip>
            {!isGood && mayWrite && (
              <Button size="compact-sm" variant="default" onClick={() => attempt(() => renew(row))}>
                {words.renew}
              </Button>
            )}
          </Group>
        );
      },
    },
    {
      key: 'updated',
      header: words.columns.updated,
      className: 'short',
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
    ...(mayWrite ? [menuColumn(actsOf)] : []),
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <DataTable label={label} columns={columns} rows={rows} />
      {open?.dialog === 'rename' && (
        <RenameDialog
          connection={open.connection}
          onRename={(name) => updateConnection(open.connection.id, { name })}
          onClose={close}
        />
      )}
      {open?.dialog === 'credentials' && (
        <Replace connection={open.connection} type={typeOf(open.connection)} onClose={close} />
      )}
      {open?.dialog === 'assign' && <AssignDialog connection={open.connection} onClose={close} />}
      {open?.dialog === 'delete' && (
        <ActDialog
          title={words.deleteTitle(open.connection.name)}
          means={words.deleteMeans}
          button={WORDS.delete}
          isDangerous
          explain={usedBy}
          onAct={async () => {
            await deleteConnection(open.connection.id);
            done(WORDS.deleted(open.connection.name));
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Whether the grant needs no person in a browser; the list of connections does not include the grant. */
const actsForItself = (error: unknown) =>
  isProblem(error) && error.errors.some(({ path }) => path === 'credentials.grant');

interface RenameProps {
  connection: Connection;
  onRename: (name: string) => Promise<void>;
  onClose: () => void;
}

function RenameDialog({ connection, onRename, onClose }: RenameProps) {
  const [name, setName] = useState(connection.name);
  return (
    <ActDialog
      title={words.rename}
      button={WORDS.save}
      isDisabled={name.trim() === ''}
      onAct={() => onRename(name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={WORDS.name}
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ActDialog>
  );
}

interface ReplaceProps {
  connection: Connection;
  type: ConnectionType | undefined;
  onClose: () => void;
}

function Replace({ connection, type, onClose }: ReplaceProps) {
  if (type === undefined) return null;
  return (
    <ReplaceCredentials
      type={type}
      title={connection.name}
      onSend={async (credentials) => {
        await updateConnection(connection.id, { credentials });
        done(WORDS.saved);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Users who may not list people can choose roles only; other assignments stay. */
function AssignDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const isAdmin = useMay()('workspace:admin');
  const people = useQuery({ ...allPeople(), enabled: isAdmin });
  const keys = useQuery({ ...allKeys(), enabled: isAdmin });
  const [isManaged, setManaged] = useState(connection.isManaged === true);
  const [subjects, setSubjects] = useState<Subject[]>(connection.assignments ?? []);
  const idsOf = (type: Subject['type']) => subjects.filter((each) => each.type === type).map(({ id }) => id);
  const choose = (type: Subject['type'], ids: string[]) =>
    setSubjects([...subjects.filter((each) => each.type !== type), ...ids.map((id) => ({ type, id }))]);
  const act = async () => {
    await assignConnection(connection, { isManaged, subjects });
    done(WORDS.saved);
  };
  const members = (people.data ?? []).filter(({ isInvited }) => !isInvited);
  return (
    <ActDialog
      title={words.assignTitle(connection.name)}
      means={isManaged ? words.assignMeans : words.onlyManaged}
      button={WORDS.save}
      onAct={act}
      onClose={onClose}
    >
      <Checkbox
        label={words.isManaged}
        checked={isManaged}
        onChange={(event) => setManaged(event.currentTarget.checked)}
      />
      <MultiSelect
        label={words.roles}
        searchable
        data={ROLES.map((role) => ({ value: role, label: WORDS.roles[role] }))}
        value={idsOf('role')}
        onChange={(ids) => choose('role', ids)}
      />
      {isAdmin && (
        <MultiSelect
          label={words.people}
          searchable
          data={members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          value={idsOf('user')}
          onChange={(ids) => choose('user', ids)}
        />
      )}
      {isAdmin && (
        <MultiSelect
          label={words.keys}
          searchable
          data={(keys.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={idsOf('apiKey')}
          onChange={(ids) => choose('apiKey', ids)}
        />
      )}
    </ActDialog>
  );
}
