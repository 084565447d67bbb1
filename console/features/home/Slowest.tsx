import { type Statistics, statistics } from '../statistics/queries.ts';
import '../../ui/table/groups.css';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMinute } from '../../ui/time/clock.ts';
import { durationText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { isSlower, slowestGroups } from '../statistics/outcomes.ts';
import { Section } from './Section.tsx';
import { SLOWEST } from './words.ts';

const words = SLOWEST;
const SHOWN = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function Slowest({ day: { groups, groupsLeftOut } }: { day: Statistics }) {
  const hour = Math.floor(useMinute() / HOUR_MS) * HOUR_MS;
  const at = (ms: number) => new Date(hour - ms).toISOString();
  const filterBy = `startedAfter:${at(2 * DAY_MS)},startedBefore:${at(DAY_MS)}`;
  // Changes only when executions that were open on that day end.
  const before = useQuery({ ...statistics({ bucket: 'day', groupBy: 'workflow', filterBy }), staleTime: HOUR_MS });
  const slowest = slowestGroups(groups, before.data?.groups ?? [], SHOWN);
  if (slowest.length === 0) return null;
  return (
    <Section title={words.title} reads={[before]}>
      <Text size="sm">{words.means}</Text>
      <table className="groups">
        <thead>
          <tr>
            <th scope="col">{words.workflow}</th>
            <th scope="col">{words.half}</th>
            <th scope="col">{words.most}</th>
          </tr>
        </thead>
        <tbody>
          {slowest.map((group) => (
            <tr key={group.key}>
              <th scope="row">
                {group.name === null ? (
                  WORDS.deletedWorkflow
                ) : (
                  <Anchor
                    renderRoot={(props) => (
                      <Link to={`/workflows/${group.key}`} search={{ tab: 'executions' }} {...props} />
                    )}
                    underline="always"
                  >
                    {group.name}
                  </Anchor>
                )}
              </th>
              <td>{durationText(group.p50Ms)}</td>
              <td>
                {durationText(group.p95Ms)}
                {group.wasMs !== undefined && (
                  <Text
                    size="xs"
                    c={isSlower(group) ? 'var(--ink-bad)' : undefined}
                    fw={isSlower(group) ? 600 : undefined}
                  >
                    {words.was(durationText(group.wasMs))}
                  </Text>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {groupsLeftOut !== undefined && <Text size="sm">{words.leftOut(groupsLeftOut.toLocaleString('en'))}</Text>}
    </Section>
  );
}
