import { Checkbox, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLES } from '../../../domain/access/permission.ts';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { allKeys, allPeople } from '../people/queries.ts';
import { assignConnection } from './mutations.ts';
import type { Connection, Subject } from './queries.ts';
import { CONNECTIONS } from './words.ts';

const words = CONNECTIONS;

/** Users who may not list people can choose roles only; other assignments stay. */
export function AssignDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
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
