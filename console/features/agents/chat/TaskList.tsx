import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Listing } from '../../../ui/table/Listing.tsx';
import { Moment } from '../../../ui/time/Moment.tsx';
import { taskPages } from './queries.ts';
import { RunState } from './RunState.tsx';
import { CHAT } from './words.ts';

const words = CHAT;

export function TaskList({ agentId, current }: { agentId: string; current?: string }) {
  const pages = useInfiniteQuery(taskPages(agentId));
  const tasks = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <nav aria-label={words.tasks} className="tasks-beside">
      <Listing pages={pages} empty={words.noTasks}>
        <ul className="tasks">
          {tasks.map(({ id, name, latestRun, lastActivityAt }) => (
            <li key={id}>
              <Link
                to="/agents/$agentId/tasks/$taskId"
                params={{ agentId, taskId: id }}
                aria-current={id === current ? 'page' : undefined}
                className="task"
              >
                <span className="task-name">{name ?? words.untitled}</span>
                <Text component="span" size="xs" className="task-state">
                  {latestRun != null && latestRun.status !== 'COMPLETED' && <RunState status={latestRun.status} />}
                  <Moment at={lastActivityAt} />
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      </Listing>
    </nav>
  );
}
