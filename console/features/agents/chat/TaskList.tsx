import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHandStop, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Chip, type Tone } from '../../../ui/Chip.tsx';
import { Listing } from '../../../ui/table/Listing.tsx';
import { Moment } from '../../../ui/time/Moment.tsx';
import { type LatestRun, taskPages } from './queries.ts';
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

const SHOWN: Record<LatestRun['status'], { tone: Tone; icon: typeof IconCheck }> = {
  RUNNING: { tone: 'run', icon: IconPlayerPlay },
  COMPLETED: { tone: 'good', icon: IconCheck },
  FAILED: { tone: 'bad', icon: IconAlertTriangle },
  STOPPED: { tone: 'neutral', icon: IconPlayerStop },
  NEEDS_APPROVAL: { tone: 'ask', icon: IconHandStop },
};

function RunState({ status }: { status: LatestRun['status'] }) {
  const { tone, icon } = SHOWN[status];
  return (
    <Chip tone={tone} icon={icon}>
      {CHAT.runs[status]}
    </Chip>
  );
}
