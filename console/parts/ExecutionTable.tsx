import { Anchor, Checkbox, Code, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ExecutionRow } from '../data/executions.ts';
import { WORDS } from '../words/en.ts';
import { Duration, Moment } from './Moment.tsx';
import { Status } from './Status.tsx';

const { columns, ...words } = WORDS.executions;

interface ExecutionTableProps {
  rows: ExecutionRow[];
  /** Rows that are chosen by id; undefined where nothing can be done with them. */
  chosen: ReadonlyMap<string, ExecutionRow> | undefined;
  onChoose: (chosen: ReadonlyMap<string, ExecutionRow>) => void;
}

/** Executions as rows; each leads to its page. */
export function ExecutionTable({ rows, chosen, onChoose }: ExecutionTableProps) {
  const areAll = chosen !== undefined && rows.every(({ id }) => chosen.has(id));
  const chooseAll = () => onChoose(areAll ? new Map() : new Map(rows.map((row) => [row.id, row])));
  const choose = (row: ExecutionRow) => {
    const next = new Map(chosen);
    if (!next.delete(row.id)) next.set(row.id, row);
    onChoose(next);
  };
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table className="rows" aria-label={words.title} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {chosen !== undefined && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={words.selectPage}
                  checked={areAll}
                  indeterminate={!areAll && chosen.size > 0}
                  onChange={chooseAll}
                />
              </Table.Th>
            )}
            <Table.Th>{columns.status}</Table.Th>
            <Table.Th>{columns.number}</Table.Th>
            <Table.Th>{columns.workflow}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.labels}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.started}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.duration}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.about}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              {chosen !== undefined && (
                <Table.Td>
                  <Checkbox
                    aria-label={words.select(row.executionNumber ?? 0)}
                    checked={chosen.has(row.id)}
                    onChange={() => choose(row)}
                  />
                </Table.Td>
              )}
              <Table.Td>{row.status !== undefined && <Status status={row.status} />}</Table.Td>
              <Table.Td>
                <Anchor component={Link} to={`/executions/${row.id}`} underline="always">
                  #{row.executionNumber}
                </Anchor>
              </Table.Td>
              <Table.Td className="named">
                {row.name}
                <Text size="xs" hiddenFrom="sm">
                  <Moment at={row.startedAt} /> <Labels row={row} />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Labels row={row} />
              </Table.Td>
              <Table.Td visibleFrom="sm" className="short">
                <Moment at={row.startedAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm" className="short">
                <Duration from={row.startedAt} to={row.stoppedAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm" className="about" title={row.statusMessage ?? undefined}>
                <About row={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Labels({ row }: { row: ExecutionRow }) {
  return Object.entries(row.labels ?? {}).map(([key, value]) => (
    <span key={key} className="label">
      {key}={value}
    </span>
  ));
}

/** What it waits for, or why it failed. */
function About({ row }: { row: ExecutionRow }) {
  if (row.held === true) return words.held;
  if (row.errorCode != null) {
    return (
      <>
        <Code>{row.errorCode}</Code> {row.statusMessage}
      </>
    );
  }
  if (row.continueExecutionAt != null) return <Moment at={row.continueExecutionAt} />;
  return row.statusMessage ?? '';
}
