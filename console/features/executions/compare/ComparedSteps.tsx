import { Code, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Chip } from '../../../ui/Chip.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { Status } from '../../../ui/Status.tsx';
import { Duration } from '../../../ui/time/Moment.tsx';
import type { ExecutionStep, ExecutionWhole } from '../queries/executions.ts';
import { loadStepValue } from '../queries/steps.ts';
import { COMPARE } from '../words.ts';
import { type ComparedStep, comparedSteps, valueDifferences } from './compared.ts';
import { type ComparedPart, comparedValues, ownSteps, type WholePath, wholeSteps } from './stepQueries.ts';

const words = COMPARE;

interface ComparedStepsProps {
  names: readonly [string, string];
  one: ExecutionWhole;
  other: ExecutionWhole;
  isAll: boolean;
}

export function ComparedSteps({ one, other, ...how }: ComparedStepsProps) {
  const mine = useQuery(wholeSteps(one));
  const theirs = useQuery(wholeSteps(other));
  const error = mine.error ?? theirs.error;
  if (error !== null) {
    return <ProblemAlert error={error} onRetry={() => void (mine.error ? mine : theirs).refetch()} />;
  }
  if (mine.isLoading || theirs.isLoading) return <Loading />;
  return (
    <Compared
      {...how}
      one={mine.data ?? ownSteps(one)}
      other={theirs.data ?? ownSteps(other)}
      ids={[one.id, other.id]}
    />
  );
}

interface ComparedProps extends Omit<ComparedStepsProps, 'one' | 'other'> {
  one: WholePath;
  other: WholePath;
  ids: readonly [string, string];
}

function Compared({ names, one, other, isAll, ids }: ComparedProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const steps = useMemo(() => comparedSteps(one.steps, other.steps), [one.steps, other.steps]);
  const differing = steps.filter(({ differences }) => differences.length > 0);
  const shown = isAll ? steps : differing;
  const toggle = (place: string) => {
    const next = new Set(opened);
    if (!next.delete(place)) next.add(place);
    setOpened(next);
  };
  return (
    <section aria-label={words.steps}>
      <Title order={2} size="h4" mb="xs">
        {words.steps}
      </Title>
      <Text size="sm" role="status" mb="xs">
        {words.summary(differing.length, steps.length)}
      </Text>
      {(one.isLeftOut || other.isLeftOut) && (
        <Text size="sm" mb="xs">
          {words.leftOut}
        </Text>
      )}
      <ul className="compared-steps" data-walked>
        {shown.map((step) => {
          const isOpen = opened.has(step.place);
          const Arrow = isOpen ? IconChevronDown : IconChevronRight;
          return (
            <li key={step.place}>
              <UnstyledButton className="compared-step" aria-expanded={isOpen} onClick={() => toggle(step.place)}>
                <Arrow size={16} aria-hidden />
                <span className="compared-name">
                  {step.one?.label ?? step.other?.label}
                  <span className="compared-place">{step.place}</span>
                </span>
                <Side name={names[0]} step={step.one} />
                <Side name={names[1]} step={step.other} />
                <span className="compared-chips">
                  {step.differences.map((difference) => (
                    <Chip key={difference} tone={difference === 'status' || difference === 'error' ? 'bad' : 'wait'}>
                      {wordOf(difference, names)}
                    </Chip>
                  ))}
                </span>
              </UnstyledButton>
              {isOpen && (
                <Opened
                  step={step}
                  names={names}
                  ids={[homeOf(one, step.one) ?? ids[0], homeOf(other, step.other) ?? ids[1]]}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function wordOf(difference: ComparedStep['differences'][number], names: readonly [string, string]): string {
  if (difference === 'onlyOne') return words.difference.onlyOne(names[0]);
  if (difference === 'onlyOther') return words.difference.onlyOther(names[1]);
  return words.difference[difference];
}

function Side({ name, step }: { name: string; step: ExecutionStep | undefined }) {
  return (
    <span className="compared-side">
      <span className="compared-number">{name}</span>
      {step === undefined ? (
        words.nothing
      ) : (
        <>
          <Status status={step.status} /> <Duration from={step.startedAt} to={step.stoppedAt} />
        </>
      )}
    </span>
  );
}

const homeOf = ({ homes }: WholePath, step: ExecutionStep | undefined) => homes.get(step?.id ?? '');

interface OpenedProps {
  step: ComparedStep;
  names: readonly [string, string];
  ids: readonly [string, string];
}

function Opened({ step: { one, other }, names, ids }: OpenedProps) {
  return (
    <Stack gap="xs" p="sm">
      {(['input', 'output'] as const).map((part) => (
        <div key={part}>
          <Text size="sm" fw={600}>
            {words[part]}
          </Text>
          <ComparedValue names={names} one={partOf(one, ids[0], part)} other={partOf(other, ids[1], part)} />
        </div>
      ))}
      {(one?.error !== undefined || other?.error !== undefined) && (
        <div>
          <Text size="sm" fw={600}>
            {words.fact.error}
          </Text>
          <ComparedValue names={names} one={plain(one?.error)} other={plain(other?.error)} />
        </div>
      )}
    </Stack>
  );
}

const plain = (value: unknown) => ({ key: '', value, bytes: undefined, load: undefined });

function partOf(step: ExecutionStep | undefined, executionId: string, part: 'input' | 'output') {
  if (step === undefined) return plain(undefined);
  const isInput = part === 'input';
  const isLink = (isInput ? step.inputLink : step.outputLink) != null;
  return {
    key: `${step.id} ${part}`,
    value: step[part],
    bytes: (isInput ? step.inputBytes : step.outputBytes) ?? undefined,
    load: isLink ? () => loadStepValue(executionId, step.id, part) : undefined,
  };
}

/** Larger values are not compared in the browser. */
const MAX_BYTES = 1_000_000;
const MAX_SHOWN = 50;

interface ComparedValueProps {
  names: readonly [string, string];
  one: ComparedPart;
  other: ComparedPart;
}

export function ComparedValue({ names, one, other }: ComparedValueProps) {
  const isLarge = [one, other].some(({ bytes = 0, load }) => load !== undefined && bytes > MAX_BYTES);
  const loaded = useQuery(comparedValues(one, other, isLarge));
  if (isLarge) return <Text size="sm">{words.large}</Text>;
  if (loaded.error !== null) return <ProblemAlert error={loaded.error} onRetry={() => void loaded.refetch()} />;
  if (loaded.isLoading) return <Loading height={40} />;
  const [mine, theirs] = loaded.data ?? [one.value, other.value];
  const found = valueDifferences(mine, theirs, MAX_SHOWN + 1);
  if (found.length === 0) return <Text size="sm">{words.same}</Text>;
  return (
    <>
      <Table.ScrollContainer minWidth={320}>
        <Table className="compared-values" aria-label={words.differs}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.place}</Table.Th>
              {names.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, MAX_SHOWN).map((difference) => (
              <Table.Tr key={difference.path}>
                <Table.Td>{difference.path === '' ? words.whole : <Code>{difference.path}</Code>}</Table.Td>
                <Table.Td>{textOf(difference.one)}</Table.Td>
                <Table.Td>{textOf(difference.other)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.length > MAX_SHOWN && <Text size="sm">{words.more(MAX_SHOWN)}</Text>}
    </>
  );
}

const MAX_LENGTH = 400;

function textOf(value: unknown): string {
  if (value === undefined) return words.nothing;
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
