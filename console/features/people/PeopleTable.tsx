import { Checkbox, NativeSelect, Text } from '@mantine/core';
import { IconMail, IconShieldCheck } from '@tabler/icons-react';
import { isProblem } from 'perdure-client';
import { type ReactNode, useState } from 'react';
import { ROLES, type Role } from '../../../domain/access/permission.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { done } from '../../ui/notices.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { menuColumn } from '../../ui/table/RowMenu.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { LeaveDialog } from '../account/LeaveDialog.tsx';
import type { Person } from '../account/queries.ts';
import { ACCOUNT } from '../account/words.ts';
import { changeRole, type Invitation, removePerson, renewInvitation, resetSecondFactor } from './mutations.ts';
import type { WorkspaceUser } from './queries.ts';
import { PEOPLE } from './words.ts';

const words = PEOPLE;

type Asked =
  | { kind: 'again' | 'reset' | 'remove'; person: WorkspaceUser }
  | { kind: 'role'; person: WorkspaceUser; role: Role };

interface PeopleTableProps {
  rows: readonly WorkspaceUser[];
  /** The logged-in person; undefined for a key. */
  own: Person | undefined;
  onInvited: (name: string, invitation: Invitation) => void;
}

export function PeopleTable({ rows, own, onInvited }: PeopleTableProps) {
  const [asked, setAsked] = useState<Asked>();
  const isOwn = ({ id }: WorkspaceUser) => id === own?.id;
  const close = () => setAsked(undefined);
  const actsOf = (person: WorkspaceUser) => [
    ...(isOwn(person) ? [] : [{ label: words.again, onClick: () => setAsked({ kind: 'again', person }) }]),
    ...(person.twoFactorEnabled === true
      ? [{ label: words.resetFactor, onClick: () => setAsked({ kind: 'reset', person }) }]
      : []),
    {
      label: isOwn(person) ? ACCOUNT.leave : person.isInvited ? words.withdraw : words.remove,
      isDangerous: true,
      onClick: () => setAsked({ kind: 'remove', person }),
    },
  ];
  const columns: Column<WorkspaceUser>[] = [
    {
      key: 'name',
      header: words.columns.name,
      cell: ({ name, email, isInvited, ...row }) => (
        <>
          <Text size="sm" fw={600} component="span">
            {name}
          </Text>{' '}
          {row.id === own?.id && <Chip tone="neutral">{words.you}</Chip>}
          {isInvited && (
            <Chip tone="ask" icon={IconMail}>
              {words.invited}
            </Chip>
          )}
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        </>
      ),
    },
    {
      key: 'role',
      header: words.columns.role,
      cell: (person) => (
        <NativeSelect
          aria-label={words.roleOf(person.name)}
          size="xs"
          w={120}
          value={person.role}
          onChange={(event) => setAsked({ kind: 'role', person, role: event.currentTarget.value as Role })}
          data={ROLES.map((role) => ({ value: role, label: WORDS.roles[role] }))}
        />
      ),
    },
    {
      key: 'factor',
      header: words.columns.factor,
      cell: ({ twoFactorEnabled }) =>
        twoFactorEnabled === true ? (
          <Chip tone="good" icon={IconShieldCheck}>
            {words.on}
          </Chip>
        ) : twoFactorEnabled === null ? (
          WORDS.none
        ) : (
          words.off
        ),
    },
    {
      key: 'since',
      header: words.columns.since,
      className: 'short',
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    menuColumn(actsOf),
  ];
  return (
    <>
      <DataTable label={WORDS.navigation.settingsPages.people} columns={columns} rows={rows} />
      {asked !== undefined &&
        (asked.kind === 'remove' && own !== undefined && isOwn(asked.person) ? (
          <LeaveDialog workspace={own.workspace} person={own} onClose={close} />
        ) : (
          <PersonDialog asked={asked} isOwn={isOwn(asked.person)} onInvited={onInvited} onClose={close} />
        ))}
    </>
  );
}

const lastOwner = (error: unknown, person: WorkspaceUser): ReactNode =>
  isProblem(error, 'CONFLICT') && person.role === 'owner' ? (
    <Text c="var(--ink-bad)">{words.lastOwner}</Text>
  ) : undefined;

interface PersonDialogProps {
  asked: Asked;
  isOwn: boolean;
  onInvited: (name: string, invitation: Invitation) => void;
  onClose: () => void;
}

function PersonDialog({ asked, isOwn, onInvited, onClose }: PersonDialogProps) {
  const [revokes, setRevokes] = useState(false);
  const { person } = asked;
  switch (asked.kind) {
    case 'role': {
      const role = WORDS.roles[asked.role];
      return (
        <ActDialog
          title={words.roleTitle(person.name, role)}
          means={isOwn ? words.ownRoleMeans : asked.role === 'owner' ? words.ownerMeans : words.roleMeans[asked.role]}
          button={role}
          explain={(error) => lastOwner(error, person)}
          onAct={async () => {
            await changeRole(person.id, asked.role, isOwn);
            done(words.changed(person.name, role));
          }}
          onClose={onClose}
        />
      );
    }
    case 'again':
      return (
        <ActDialog
          title={words.again}
          means={`${person.name}: ${words.againMeans}`}
          button={words.again}
          onAct={async () => onInvited(person.name, await renewInvitation(person.id))}
          onClose={onClose}
        />
      );
    case 'reset':
      return (
        <ActDialog
          title={words.resetTitle(person.name)}
          means={words.resetMeans}
          button={words.resetFactor}
          isDangerous
          onAct={async () => {
            await resetSecondFactor(person.id);
            done(words.resetDone(person.name));
          }}
          onClose={onClose}
        />
      );
    case 'remove':
      return (
        <ActDialog
          title={person.isInvited ? words.withdraw : words.removeTitle(person.name)}
          means={person.isInvited ? person.email : words.removeMeans}
          button={person.isInvited ? words.withdraw : words.remove}
          isDangerous
          explain={(error) => lastOwner(error, person)}
          onAct={async () => {
            await removePerson(person.id, revokes ? 'revoke' : 'keep');
            done(words.removed(person.name));
          }}
          onClose={onClose}
        >
          {!person.isInvited && (
            <Checkbox
              label={words.revokeKeys}
              checked={revokes}
              onChange={(event) => setRevokes(event.currentTarget.checked)}
            />
          )}
        </ActDialog>
      );
  }
}
