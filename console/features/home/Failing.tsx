import { Anchor, Code, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMay } from '../../app/api/me.ts';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import { FailureGroups } from '../executions/FailureGroups.tsx';
import { filterByOf } from '../executions/queries/executionFilter.ts';
import { totalOf } from '../statistics/outcomes.ts';
import { statistics } from '../statistics/queries.ts';
import { type WorkflowRow, workflowTriggers } from '../workflows/queries/workflows.ts';
import { Section } from './Section.tsx';
import { HOME } from './words.ts';

const words = HOME;
const SPANS = WORDS.executions.spans;
const DAY = '24h';

export function Failing() {
  const { since: wanted = DAY } = useSearch({ from: '/frame/' });
  const since = Object.hasOwn(SPANS, wanted) ? wanted : DAY;
  const may = useMay();
  const polls = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  const silent = (polls.data ?? []).filter(({ triggerStatus }) => triggerStatus?.lastError != null);
  return (
    <Section title={words.failing}>
      {/* The key drops the counts of the previous time span while the new ones load. */}
      <FailedWithin key={since} since={since} />
      <Group gap="sm">
        {Object.entries(SPANS).map(([each, text]) => (
          <Anchor
            key={each}
            renderRoot={(props) => (
              <Link
                to="/"
                search={each === DAY ? {} : { since: each }}
                replace
                activeOptions={{ exact: true }}
                {...props}
              />
            )}
            underline={each === since ? 'never' : 'always'}
            size="sm"
          >
            {WORDS.executions.showSpan(text)}
          </Anchor>
        ))}
      </Group>
      {silent.length > 0 && <FailingPolls rows={silent} />}
    </Section>
  );
}

function FailedWithin({ since }: { since: string }) {
  const filter = { status: 'FAILED,TIMED_OUT', since, retried: 'false' };
  const filterBy = filterByOf(filter, useMinute());
  const byWorkflow = useQuery(statistics({ filterBy, groupBy: 'workflow' }));
  const byCode = useQuery(statistics({ filterBy, groupBy: 'errorCode' }));
  const all = byWorkflow.data?.buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
  const error = byWorkflow.error ?? byCode.error;
  const span = SPANS[since] ?? since;
  return (
    <>
      {error !== null && <ProblemAlert error={error} isRead />}
      {byWorkflow.isLoading && <Loading height={60} />}
      {all === 0 && <Text>{words.noFailed(span)}</Text>}
      {all !== undefined && all > 0 && (
        <>
          <ExecutionsLink search={filter}>{words.failed(all, span)}</ExecutionsLink>
          <FailureGroups groups={byWorkflow.data?.groups ?? []} by="workflow" within={filter} />
          <FailureGroups groups={byCode.data?.groups ?? []} by="errorCode" within={filter} />
        </>
      )}
      {byWorkflow.data?.bounded === true && <Text size="sm">{words.bounded}</Text>}
    </>
  );
}

function FailingPolls({ rows }: { rows: readonly WorkflowRow[] }) {
  return (
    <>
      <Title order={3} size="h5">
        {words.polls}
      </Title>
      {rows.map(({ id, name, triggerStatus }) => (
        <Text key={id} size="sm">
          <Anchor component={Link} to={`/workflows/${id}`} underline="always">
            {name}
          </Anchor>{' '}
          <Code>{triggerStatus?.lastError?.code}</Code> {triggerStatus?.lastError?.message}{' '}
          <Moment at={triggerStatus?.lastPolledAt} />
        </Text>
      ))}
    </>
  );
}
