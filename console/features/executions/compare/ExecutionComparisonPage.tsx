import './compare.css';
import { Anchor, Button, Group, NativeSelect, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loading } from '../../../ui/Loading.tsx';
import { Page } from '../../../ui/Page.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { Status } from '../../../ui/Status.tsx';
import type { SearchOf } from '../../../ui/search.ts';
import { Duration, Moment } from '../../../ui/time/Moment.tsx';
import { useAbsoluteTime } from '../../../ui/time/useAbsoluteTime.ts';
import { WORDS } from '../../../ui/words/words.ts';
import { type ExecutionWhole, execution, readInput, readOutput, recentExecutions } from '../queries/executions.ts';
import { COMPARE } from '../words.ts';
import { ComparedSteps, ComparedValue } from './ComparedSteps.tsx';

const words = COMPARE;

export function ExecutionComparison() {
  const absoluteTime = useAbsoluteTime();
  const { executionId } = useParams({ from: '/frame/executions/$executionId/compare' });
  const { with: given, all } = useSearch({ from: '/frame/executions/$executionId/compare' });
  const navigate = useNavigate();
  const one = useQuery(execution(executionId));
  const workflowId = one.data?.workflow?.id ?? '';
  const recent = useQuery({ ...recentExecutions(workflowId), enabled: workflowId !== '' });
  const others = (recent.data ?? []).filter(({ id }) => id !== executionId);
  // A failed execution is compared with one that completed.
  const first = others.find(({ status }) => status === 'COMPLETED') ?? others[0];
  const otherId = given ?? one.data?.retryOf?.id ?? first?.id;
  const other = useQuery({ ...execution(otherId ?? ''), enabled: otherId !== undefined });
  const set = (change: SearchOf<'/frame/executions/$executionId/compare'>) =>
    void navigate({
      to: `/executions/${executionId}/compare`,
      search: { with: given, all, ...change },
      replace: true,
    });
  const error = one.error ?? other.error;
  const isListed = otherId === undefined || others.some(({ id }) => id === otherId);
  return (
    <Page
      title={one.data === undefined ? words.loadingTitle : words.title(one.data.executionNumber ?? 0)}
      beside={
        otherId !== undefined && (
          <Button
            variant="default"
            onClick={() =>
              void navigate({ to: `/executions/${otherId}/compare`, search: { with: executionId, all }, replace: true })
            }
          >
            {words.swap}
          </Button>
        )
      }
    >
      {error !== null && <ProblemAlert error={error} onRetry={() => void (one.error ? one : other).refetch()} />}
      {one.data === undefined && error === null && <Loading />}
      {one.data !== undefined && (
        <Stack>
          <Group align="end">
            <NativeSelect
              label={words.with}
              value={otherId ?? ''}
              onChange={({ currentTarget: { value } }) => set({ with: value })}
              data={[
                ...(otherId === undefined ? [{ value: '', label: words.choose }] : []),
                ...(isListed ? [] : [{ value: otherId, label: optionOf(other.data, otherId, absoluteTime) }]),
                ...others.map((each) => ({ value: each.id, label: optionOf(each, each.id, absoluteTime) })),
              ]}
            />
            <Switch
              mb={8}
              label={words.onlyDifferences}
              checked={all !== 'true'}
              onChange={({ currentTarget: { checked } }) => set({ all: checked ? undefined : 'true' })}
            />
          </Group>
          {otherId === undefined && recent.isSuccess && <Text>{words.none}</Text>}
          {otherId !== undefined && other.data === undefined && other.error === null && <Loading />}
          {other.data !== undefined && <Both one={one.data} other={other.data} isAll={all === 'true'} />}
        </Stack>
      )}
    </Page>
  );
}

type Listed = Pick<ExecutionWhole, 'executionNumber' | 'status' | 'startedAt'>;

function optionOf(listed: Listed | undefined, id: string, absoluteTime: ReturnType<typeof useAbsoluteTime>): string {
  if (listed === undefined) return id;
  const { executionNumber = 0, status = 'PENDING', startedAt } = listed;
  return words.option(executionNumber ?? 0, WORDS.status[status], absoluteTime(startedAt));
}

interface BothProps {
  one: ExecutionWhole;
  other: ExecutionWhole;
  isAll: boolean;
}

function Both({ one, other, isAll }: BothProps) {
  const names = [one, other].map(({ executionNumber }) => `#${executionNumber}`) as [string, string];
  const facts: [string, (execution: ExecutionWhole) => ReactNode][] = [
    [words.fact.status, ({ status }) => status !== undefined && <Status status={status} />],
    [words.fact.version, ({ workflowVersion }) => workflowVersion ?? WORDS.none],
    [words.fact.started, ({ startedAt }) => <Moment at={startedAt} />],
    [words.fact.duration, ({ startedAt, stoppedAt }) => <Duration from={startedAt} to={stoppedAt} />],
    [words.fact.error, ({ errorCode }) => errorCode ?? WORDS.none],
  ];
  return (
    <>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={words.facts} className="compared-facts">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              {[one, other].map(({ id, executionNumber, name }) => (
                <Table.Th key={id}>
                  <Anchor component={Link} to={`/executions/${id}`} underline="always">
                    #{executionNumber} {name}
                  </Anchor>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {facts.map(([name, shown]) => (
              <Table.Tr key={name}>
                <Table.Th>{name}</Table.Th>
                <Table.Td>{shown(one)}</Table.Td>
                <Table.Td>{shown(other)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Title order={2} size="h4">
        {words.input}
      </Title>
      <ComparedValue names={names} one={partOf(one, 'input')} other={partOf(other, 'input')} />
      <Title order={2} size="h4">
        {words.output}
      </Title>
      <ComparedValue names={names} one={partOf(one, 'output')} other={partOf(other, 'output')} />
      <ComparedSteps names={names} one={one} other={other} isAll={isAll} />
    </>
  );
}

function partOf(execution: ExecutionWhole, part: 'input' | 'output') {
  const isInput = part === 'input';
  const isLink = (isInput ? execution.inputLink : execution.outputLink) != null;
  return {
    key: `${execution.id} ${part}`,
    value: execution[part],
    bytes: (isInput ? execution.inputBytes : execution.outputBytes) ?? undefined,
    load: isLink ? () => (isInput ? readInput(execution.id) : readOutput(execution.id)) : undefined,
  };
}
