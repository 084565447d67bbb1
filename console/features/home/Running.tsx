import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EXECUTION_STATUSES, isTerminal } from '../../../domain/execution/status.ts';
import { useMay } from '../../app/api/me.ts';
import { Status } from '../../ui/Status.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { executionCounts } from '../executions/queries/executions.ts';
import { workflowTriggers } from '../workflows/queries/workflows.ts';
import { Section } from './Section.tsx';
import { HOME } from './words.ts';

const words = HOME;
const OPEN = EXECUTION_STATUSES.filter((status) => !isTerminal(status));
const NEXT = 3;

type Counts = Record<string, number> | undefined;
const sumOf = (counts: Counts) => Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);

export function Running() {
  const may = useMay();
  const all = useQuery(executionCounts(''));
  const held = useQuery(executionCounts('held:true'));
  const retrying = useQuery(executionCounts('retrying:true'));
  const planned = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  const open = OPEN.map((status) => ({ status, count: all.data?.[status] ?? 0 })).filter(({ count }) => count > 0);
  const stuck = [
    { key: 'held', count: sumOf(held.data), what: words.held },
    { key: 'retrying', count: sumOf(retrying.data), what: words.retrying },
  ];
  const next = (planned.data ?? [])
    .flatMap(({ id, name, nextScheduledExecution: at }) => (at == null ? [] : [{ id, name, at }]))
    .toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <Section title={words.running} reads={[all, held, retrying]}>
      {all.data !== undefined && open.length === 0 && <Text>{words.noneOpen}</Text>}
      {open.map(({ status, count }) => (
        <div key={status}>
          <ExecutionsLink search={{ status }}>{count.toLocaleString('en')}</ExecutionsLink> <Status status={status} />
        </div>
      ))}
      {stuck
        .filter(({ count }) => count > 0)
        .map(({ key, count, what }) => (
          <Text key={key}>
            <ExecutionsLink search={{ [key]: 'true' }}>{count.toLocaleString('en')}</ExecutionsLink> {what}
          </Text>
        ))}
      {next.slice(0, NEXT).map(({ id, name, at }) => (
        <Text key={id} size="sm">
          {words.next}: {name} <Moment at={at} />
        </Text>
      ))}
    </Section>
  );
}
