import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ME, useMay } from '../../app/api/me.ts';
import type { SearchOf } from '../../ui/search.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { countOf, openQuestions } from '../inbox/queries.ts';
import { openApprovals, queueCounts } from './queries.ts';
import { Section } from './Section.tsx';
import { HOME } from './words.ts';

const words = HOME;
const SHOWN = 5;
const READ = 20;

export function NeedsYou() {
  const may = useMay();
  const { isSuccess: isKnown } = useQuery(ME);
  const seesQuestions = may('executions:read');
  const questions = useQuery({ ...openQuestions('mine'), enabled: seesQuestions });
  const ofOthers = useQuery({ ...openQuestions('of others'), enabled: seesQuestions });
  const approvals = useQuery({ ...openApprovals, enabled: may('agents:use') });
  const queues = useQuery({ ...queueCounts, enabled: may('queues:write') });
  const { questions: asked, hasMore } = questions.data ?? { questions: [], hasMore: false };
  const others = ofOthers.data?.questions.length ?? 0;
  const waiting = approvals.data?.length ?? 0;
  const ready = (queues.data ?? []).flatMap(({ id, name, itemCounts }) =>
    itemCounts === undefined || itemCounts.PENDING === 0 ? [] : [{ id, name, count: itemCounts.PENDING }],
  );
  const reads = [questions, ofOthers, approvals, queues];
  const areRead = reads.every(({ error, isLoading }) => error === null && !isLoading);
  const isNothing = isKnown && areRead && asked.length + waiting + ready.length === 0;
  return (
    <Section title={words.needsYou} reads={reads}>
      {isNothing && <Text>{words.nothing}</Text>}
      {asked.slice(0, SHOWN).map((question) => (
        <div key={`${question.executionId} ${question.stepId}`}>
          <InboxLink search={{ question: `${question.executionId}/${question.stepId}` }}>
            {question.title ?? question.label}
          </InboxLink>
          <Text size="sm">
            <Anchor component={Link} to={`/executions/${question.executionId}`} underline="always" inherit>
              #{question.executionNumber}
            </Anchor>{' '}
            {question.executionName} · <Moment at={question.requestedAt} />
          </Text>
        </div>
      ))}
      {asked.length > SHOWN && <InboxLink>{words.andMore(countOf(asked.length - SHOWN, hasMore))}</InboxLink>}
      {waiting > 0 && <InboxLink>{words.approvals(countOf(waiting, waiting === READ))}</InboxLink>}
      {ready.slice(0, SHOWN).map(({ id, name, count }) => (
        <Anchor key={id} component={Link} to={`/queues/${id}`} underline="always">
          {words.items(count, name)}
        </Anchor>
      ))}
      {others > 0 && (
        <Text size="sm">
          <InboxLink>{words.ofOthers(others, countOf(others, ofOthers.data?.hasMore === true))}</InboxLink>
        </Text>
      )}
    </Section>
  );
}

function InboxLink({ search = {}, children }: { search?: SearchOf<'/frame/inbox'>; children: ReactNode }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/inbox" search={search} {...props} />} underline="always">
      {children}
    </Anchor>
  );
}
