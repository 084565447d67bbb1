import { Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useMay } from '../../../app/api/me.ts';
import { done, failed } from '../../../ui/notices.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Listing } from '../../../ui/table/Listing.tsx';
import { Moment } from '../../../ui/time/Moment.tsx';
import { deleteMemory } from './mutations.ts';
import { agentSettings, type Memory, memoryPages, subjects } from './queries.ts';
import { AGENT_MEMORIES } from './words.ts';

const words = AGENT_MEMORIES;

export function Memories({ agentId }: { agentId: string }) {
  const may = useMay();
  const pages = useInfiniteQuery(memoryPages(agentId));
  const settings = useQuery(agentSettings(agentId));
  const { data: known = [] } = useQuery({ ...subjects(), enabled: may('workspace:admin') });
  const forget = useMutation({
    mutationFn: (memoryId: string) => deleteMemory(agentId, memoryId),
    onSuccess: () => done(words.forgotten),
    onError: failed,
  });
  const ownerOf = ({ subject }: Memory) =>
    subject === null ? words.everybody : (known.find(({ id }) => id === subject.id)?.name ?? words.somebody);
  const mayForget = may('agents:write') || may('agents:use');
  const forgetOne: Column<Memory> = {
    key: 'forget',
    card: 'corner',
    header: <span className="aloud">{words.acts}</span>,
    cell: ({ id, fact }) => (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={words.forgetFact(fact.slice(0, 60))}
        onClick={() => forget.mutate(id)}
      >
        {words.forget}
      </Button>
    ),
  };
  const columns: Column<Memory>[] = [
    { key: 'fact', header: words.fact, className: 'named', cell: ({ fact }) => fact },
    { key: 'of', header: words.of, cell: ownerOf },
    { key: 'at', header: words.at, className: 'short', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    ...(mayForget ? [forgetOne] : []),
  ];
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const versions = settings.data?.agent.selfInstructionVersions ?? [];
  return (
    <Stack>
      <Listing pages={pages} empty={words.none}>
        <DataTable label={words.title} columns={columns} rows={rows} />
      </Listing>
      <Title order={2} size="h4">
        {words.ownInstructions}
      </Title>
      {versions.length === 0 && <Text>{words.noVersions}</Text>}
      {versions.map(({ version, instructions, createdAt }, at) => (
        <details key={version} open={at === 0}>
          <summary>
            {words.version(version)} · <Moment at={createdAt} />
          </summary>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{instructions === '' ? words.removed : instructions}</Text>
        </details>
      ))}
    </Stack>
  );
}
