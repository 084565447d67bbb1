import { Anchor, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EXECUTION_STATUSES, isTerminal } from '../../domain/execution/status.ts';
import { filterByOf } from '../data/executionFilter.ts';
import { executionCounts } from '../data/executions.ts';
import { openQuestions } from '../data/questions.ts';
import { useMinute } from '../live/clock.ts';
import { Moment } from '../parts/Moment.tsx';
import { Page } from '../parts/Page.tsx';
import { ProblemAlert } from '../parts/ProblemAlert.tsx';
import { Status } from '../parts/Status.tsx';
import type { Search } from '../search.ts';
import { WORDS } from '../words/en.ts';

const words = WORDS.home;
const OPEN = EXECUTION_STATUSES.filter((status) => !isTerminal(status));

/** What needs the person, what fails, and what runs. Every number leads to what it counts. */
export function Home() {
  const minute = useMinute();
  const questions = useQuery(openQuestions());
  const today = useQuery(executionCounts(filterByOf({ since: '24h' }, minute)));
  const all = useQuery(executionCounts(''));
  const failed = (today.data?.FAILED ?? 0) + (today.data?.TIMED_OUT ?? 0);
  const open = OPEN.map((status) => ({ status, count: all.data?.[status] ?? 0 })).filter(({ count }) => count > 0);
  return (
    <Page title={words.title}>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Section title={words.needsYou} error={questions.error}>
          {questions.data?.length === 0 && <Text>{words.noQuestions}</Text>}
          {questions.data?.map((question) => (
            <div key={question.stepId}>
              <Anchor component={Link} to={`/executions/${question.executionId}`} underline="always">
                {question.title ?? question.label}
              </Anchor>
              <Text size="sm">
                #{question.executionNumber} {question.executionName} · <Moment at={question.requestedAt} />
              </Text>
            </div>
          ))}
        </Section>
        <Section title={words.failing} error={today.error}>
          {today.data !== undefined && failed === 0 && <Text>{words.noFailed}</Text>}
          {failed > 0 && (
            <ListLink search={{ status: 'FAILED,TIMED_OUT', since: '24h' }}>{words.failed24(failed)}</ListLink>
          )}
        </Section>
        <Section title={words.running} error={all.error}>
          {all.data !== undefined && open.length === 0 && <Text>{words.noneOpen}</Text>}
          {open.map(({ status, count }) => (
            <div key={status}>
              <ListLink search={{ status }}>{count.toLocaleString('en')}</ListLink> <Status status={status} />
            </div>
          ))}
        </Section>
      </SimpleGrid>
    </Page>
  );
}

/** To the list of executions with this filter. */
function ListLink({ search, children }: { search: Search; children: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/executions" search={search} {...props} />} underline="always">
      {children}
    </Anchor>
  );
}

function Section({ title, error, children }: { title: string; error: unknown; children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="xs">
        {error !== null && <ProblemAlert error={error} />}
        {children}
      </Stack>
    </Card>
  );
}
