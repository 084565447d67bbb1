import { Alert, List } from '@mantine/core';
import { isProblem, type PerdureProblem } from 'perdure-client';
import type { ReactNode } from 'react';
import { WORDS } from '../words/en.ts';

const words = WORDS.settings;

/** For dialogs that delete: who uses the thing, where that is why it stays. */
export function usedBy(error: unknown): ReactNode {
  return isProblem(error, 'IN_USE') ? <Users problem={error} /> : undefined;
}

function Users({ problem }: { problem: PerdureProblem }) {
  const { usedBy: users = [], usedByTotal: total = users.length } = problem.body;
  return (
    <Alert
      color="yellow"
      title={words.connections.isUsed}
      styles={{ title: { color: 'var(--ink-ask)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      {words.usedBy}
      <List size="sm">
        {users.map(({ type, id, name, count }) => (
          <List.Item key={`${type} ${id ?? ''}`}>
            {words.kinds[type] ?? type}: {name ?? (count === undefined ? id : words.usedByCount(count))}
          </List.Item>
        ))}
        {total > users.length && <List.Item>{words.usedByMore(total - users.length)}</List.Item>}
      </List>
    </Alert>
  );
}
