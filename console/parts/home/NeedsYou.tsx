import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openApprovals, queueCounts } from '../../data/home.ts';
import { useMay } from '../../data/me.ts';
import { openQuestions } from '../../data/questions.ts';
import { WORDS } from '../../words/en.ts';
import { Moment } from '../Moment.tsx';
import { Section } from './Section.tsx';

const words = WORDS.home;
const SHOWN = 5;
const READ = 20;

/** Questions, approvals and items that wait for a person. */
export function NeedsYou() {
  const may = useMay();
  const questions = useQuery(openQuestions());
  const approvals = useQuery({ ...openApprovals, enabled: may('agents:use') });
  const queues = useQuery({ ...queueCounts, enabled: may('queues:write') });
  const asked = questions.data ?? [];
  const waiting = approvals.data?.length ?? 0;
  const ready = (queues.data ?? []).flatMap(({ id, name, itemCounts }) =>
    itemCounts === undefined || itemCounts.PENDING === 0 ? [] : [{ id, name, count: itemCounts.PENDING }],
  );
  const isNothing = questions.isSuccess && asked.length + waiting + ready.length === 0;
  return (
    <Section title={words.needsYou} error={questions.error ?? approvals.error ?? queues.error}>
      {isNothing && <Text>{words.nothing}</Text>}
      {asked.slice(0, SHOWN).map((question) => (
        <div key={`${question.executionId} ${question.stepId}`}>
          <Anchor component={Link} to={`/executions/${question.executionId}`} underline="always">
            {question.title ?? question.label}
          </Anchor>
          <Text size="sm">
            #{question.executionNumber} {question.executionName} · <Moment at={question.requestedAt} />
          </Text>
        </div>
      ))}
      {asked.length > SHOWN && <Text>{WORDS.execution.andMore(asked.length - SHOWN)}</Text>}
      {waiting > 0 && <Text>{words.approvals(waiting === READ ? `${READ}+` : String(waiting))}</Text>}
      {ready.slice(0, SHOWN).map(({ id, name, count }) => (
        <Text key={id}>{words.items(count, name)}</Text>
      ))}
    </Section>
  );
}
