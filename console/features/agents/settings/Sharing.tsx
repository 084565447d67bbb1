import { Button, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useMay } from '../../../app/api/me.ts';
import { done, failed } from '../../../ui/notices.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Listing } from '../../../ui/table/Listing.tsx';
import { Moment } from '../../../ui/time/Moment.tsx';
import { createGrant, revokeGrant } from './mutations.ts';
import { type Grant, grantPages, type Subject, subjects } from './queries.ts';
import { AGENT_SHARING } from './words.ts';

const words = AGENT_SHARING;

const USUAL_CAP = 60;

/** The grants of an agent: people and keys that may use it without `agents:read`. */
export function Sharing({ agentId }: { agentId: string }) {
  const may = useMay();
  const pages = useInfiniteQuery(grantPages(agentId));
  const { data: known = [] } = useQuery({ ...subjects(), enabled: may('workspace:admin') });
  const revoke = useMutation({
    mutationFn: (grantId: string) => revokeGrant(agentId, grantId),
    onSuccess: () => done(words.revoked),
    onError: failed,
  });
  const nameOf = ({ subject }: Grant) => known.find(({ id }) => id === subject.id)?.name ?? subject.id;
  const columns: Column<Grant>[] = [
    { key: 'who', header: words.who, className: 'named', cell: nameOf },
    { key: 'type', header: words.type, cell: ({ subject }) => words.types[subject.type] },
    { key: 'cap', header: words.cap, cell: ({ hourlyMessageCap }) => hourlyMessageCap.toLocaleString('en') },
    {
      key: 'until',
      header: words.until,
      cell: ({ expiresAt }) => (expiresAt === null ? words.forever : <Moment at={expiresAt} />),
    },
    {
      key: 'revoke',
      card: 'corner',
      header: <span className="aloud">{words.acts}</span>,
      cell: (grant) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={words.revokeOf(nameOf(grant))}
          onClick={() => revoke.mutate(grant.id)}
        >
          {words.revoke}
        </Button>
      ),
    },
  ];
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack>
      <Text>{words.means}</Text>
      {may('workspace:admin') ? <NewGrant agentId={agentId} known={known} /> : <Text size="sm">{words.askAdmin}</Text>}
      <Listing pages={pages} empty={words.none}>
        <DataTable label={words.title} columns={columns} rows={rows} />
      </Listing>
    </Stack>
  );
}

interface NewGrantProps {
  agentId: string;
  known: readonly Subject[];
}

function NewGrant({ agentId, known }: NewGrantProps) {
  const [chosen, setChosen] = useState('');
  const [cap, setCap] = useState<string | number>(USUAL_CAP);
  const [until, setUntil] = useState('');
  const give = useMutation({
    mutationFn: ({ type, id }: Subject) =>
      createGrant(agentId, {
        subject: { type, id },
        hourlyMessageCap: Number(cap),
        // Until the end of that day in the person's time zone.
        ...(until === '' ? {} : { expiresAt: new Date(`${until}T23:59:59`).toISOString() }),
      }),
    onSuccess: () => {
      done(words.given);
      setChosen('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const subject = known.find(({ id }) => id === chosen);
    if (subject !== undefined) give.mutate(subject);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={words.who}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: '', label: '' },
            ...(['user', 'apiKey'] as const).map((type) => ({
              group: words.types[type],
              items: known.filter((each) => each.type === type).map(({ id, name }) => ({ value: id, label: name })),
            })),
          ]}
        />
        <NumberInput
          label={words.cap}
          min={0}
          max={100_000}
          allowDecimal={false}
          value={cap}
          onChange={setCap}
          w={170}
        />
        <TextInput
          type="date"
          label={words.until}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button type="submit" disabled={chosen === ''} loading={give.isPending}>
          {words.give}
        </Button>
      </Group>
      {give.error !== null && <ProblemAlert error={give.error} />}
    </form>
  );
}
