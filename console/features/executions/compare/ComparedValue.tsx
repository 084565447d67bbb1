import { Code, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../../ui/Loading.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { valueDifferences } from './compared.ts';
import { type ComparedPart, comparedValues } from './stepQueries.ts';
import { COMPARE } from './words.ts';

const words = COMPARE;
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
