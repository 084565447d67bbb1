import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../ui/time/Moment.tsx';
import type { ExecutionWhole, OpenQuestion } from '../executions/queries/executions.ts';
import { earlierAnswers } from './earlierAnswers.ts';
import { INBOX } from './words.ts';

const words = INBOX.question;

interface QuestionAboutProps {
  question: Pick<OpenQuestion, 'iteration' | 'requestedAt'>;
  execution: ExecutionWhole;
  /** Not on the execution's own page, which shows labels and the link already. */
  isElsewhere: boolean;
}

export function QuestionAbout({ question, execution, isElsewhere }: QuestionAboutProps) {
  const { id, startedBy, labels = {}, nodes = [], executionPath = [], executionNumber, name } = execution;
  const earlier = earlierAnswers(nodes, executionPath, question.iteration);
  const place = question.iteration.at(-1);
  return (
    <div className="question-about">
      <Text size="sm">
        {startedBy !== undefined && (
          <>{words.startedBy[startedBy.type]?.(startedBy.name ?? words.someone) ?? startedBy.type} · </>
        )}
        {words.asked} <Moment at={question.requestedAt} />
        {place !== undefined && ` · ${INBOX.iteration(place.index, place.total)}`}
      </Text>
      {isElsewhere && (
        <>
          {Object.keys(labels).length > 0 && (
            <dl className="question-facts" aria-label={words.about}>
              {Object.entries(labels).map(([key, value]) => (
                <div key={key}>
                  <dt>{key}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          <Anchor component={Link} to={`/executions/${id}`} size="sm" underline="always">
            {words.execution} (#{executionNumber} {name})
          </Anchor>
        </>
      )}
      {earlier.length > 0 && (
        <>
          <Title order={3} size="h6" mt="xs">
            {words.earlier}
          </Title>
          <ul className="earlier">
            {earlier.map(({ stepId, label, by, at, values }) => (
              <li key={stepId}>
                <strong>{label}</strong>
                {values.map((each) => ` · ${each.label}: ${each.value}`)}
                <Text span size="sm" c="var(--ink-neutral)">
                  {' — '}
                  {by !== undefined && `${words.by(by)}, `}
                  <Moment at={at} />
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
