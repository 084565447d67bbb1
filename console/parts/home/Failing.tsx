import { Anchor, Code, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { filterByOf } from '../../data/executionFilter.ts';
import { useMay } from '../../data/me.ts';
import { statistics } from '../../data/statistics.ts';
import { type WorkflowRow, workflowTriggers } from '../../data/workflows.ts';
import { useMinute } from '../../live/clock.ts';
import { WORDS } from '../../words/en.ts';
import { ExecutionsLink } from '../ExecutionsLink.tsx';
import { FailureGroups } from '../FailureGroups.tsx';
import { Moment } from '../Moment.tsx';
import { totalOf } from '../outcomes.ts';
import { Section } from './Section.tsx';

const words = WORDS.home;
const FAILED = { status: 'FAILED,TIMED_OUT', since: '24h' };

/** What failed in 24 hours: by workflow, by error code, and triggers whose polls fail. */
export function Failing() {
  const minute = useMinute();
  const filterBy = filterByOf(FAILED, minute);
  const byWorkflow = useQuery(statistics({ filterBy, groupBy: 'workflow' }));
  const byCode = useQuery(statistics({ filterBy, groupBy: 'errorCode' }));
  const may = useMay();
  const polls = useQuery({ ...workflowTriggers(), enabled: may('workflows:read') });
  const all = byWorkflow.data?.buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
  const silent = (polls.data ?? []).filter(({ triggerStatus }) => triggerStatus?.lastError != null);
  return (
    <Section title={words.failing} error={byWorkflow.error ?? byCode.error}>
      {all === 0 && <Text>{words.noFailed}</Text>}
      {all !== undefined && all > 0 && (
        <>
          <ExecutionsLink search={FAILED}>{words.failed24(all)}</ExecutionsLink>
          <FailureGroups groups={byWorkflow.data?.groups ?? []} by="workflow" within={FAILED} />
          <FailureGroups groups={byCode.data?.groups ?? []} by="errorCode" within={FAILED} />
        </>
      )}
      {byWorkflow.data?.bounded === true && <Text size="sm">{words.bounded}</Text>}
      {silent.length > 0 && <FailingPolls rows={silent} />}
    </Section>
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
