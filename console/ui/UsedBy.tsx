import { Alert, Anchor, List } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isProblem, type PerdureProblem } from 'perdure-client';
import type { ReactNode } from 'react';
import { WORDS } from './words/words.ts';

const words = WORDS;

/** Explains the refusal of a deletion: lists what still uses the resource. Undefined for other errors. */
export function usedBy(error: unknown, title = words.isUsed): ReactNode {
  if (!isProblem(error, 'IN_USE')) return undefined;
  const { usedBy: users = [], usedByTotal } = error.body;
  return <UsedBy users={users} total={usedByTotal} title={title} />;
}

interface UsedByProps {
  users: NonNullable<PerdureProblem['body']['usedBy']>;
  total: number | undefined;
  title: string;
}

/** Lists what prevents a deletion. */
export function UsedBy({ users, total = users.length, title }: UsedByProps) {
  return (
    <Alert
      color="yellow"
      title={title}
      styles={{ title: { color: 'var(--ink-ask)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      {words.usedBy}
      <List size="sm">
        {users.map(({ type, id, name, count }) => (
          <List.Item key={`${type} ${id ?? ''}`}>
            {words.kinds[type] ?? type}:{' '}
            {id === undefined || KIND_PLACES[type] === undefined ? (
              (name ?? (count === undefined ? id : words.usedByCount(count)))
            ) : (
              <Anchor component={Link} to={`${KIND_PLACES[type]}/${id}`} size="sm" underline="always" c="inherit">
                {name ?? id}
              </Anchor>
            )}
          </List.Item>
        ))}
        {total > users.length && <List.Item>{words.usedByMore(total - users.length)}</List.Item>}
      </List>
    </Alert>
  );
}

/** The paths above the pages of each kind of resource; the keys are the API's names. */
export const KIND_PLACES: Readonly<Record<string, string>> = {
  workflow: '/workflows',
  execution: '/executions',
  queue: '/queues',
  agent: '/agents',
  knowledge: '/knowledge',
};
