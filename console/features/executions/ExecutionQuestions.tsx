import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import type { ExecutionWhole, OpenQuestion } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION.questions;
const Question = lazyPart(() => import('../inbox/Question.tsx'), 'Question');

/** The forms shown at first and added by each click: the graph stays visible if a loop has many open questions. */
const AT_ONCE = 3;

/** The open questions with their forms. One that somebody else answers stays if the user has typed in it. */
export function ExecutionQuestions({ executionId, execution }: { executionId: string; execution: ExecutionWhole }) {
  const [most, setMost] = useState(AT_ONCE);
  const [written, setWritten] = useState<ReadonlyMap<string, OpenQuestion>>(new Map());
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(most);
  const open = execution.pendingInput ?? [];
  const { shown, left } = questionsToShow(open, written, most);
  useEffect(() => {
    if (before.current === most) return;
    const first = before.current;
    before.current = most;
    // The button may have disappeared with the focus.
    place.current?.querySelectorAll<HTMLElement>('.form-title')[first]?.focus();
  }, [most]);
  if (shown.length === 0) return null;
  const forget = (stepId: string) => setWritten((known) => new Map([...known].filter(([id]) => id !== stepId)));
  return (
    <div ref={place}>
      {shown.map((question) => (
        <Suspense key={question.stepId} fallback={<Loading height={160} />}>
          <Question
            executionId={executionId}
            question={question}
            execution={execution}
            onWritten={() => setWritten((known) => new Map([...known, [question.stepId, question]]))}
            onAnswered={() => forget(question.stepId)}
          />
        </Suspense>
      ))}
      {left > 0 && (
        <Group mb="md">
          <Text>{words.left(left)}</Text>
          <Button variant="default" size="xs" onClick={() => setMost(most + AT_ONCE)}>
            {words.more(Math.min(left, AT_ONCE))}
          </Button>
          <Anchor renderRoot={(props) => <Link to="/inbox" {...props} />}>{words.inbox}</Anchor>
        </Group>
      )}
    </div>
  );
}

/** The first `most` open questions, and all with typed text, even if closed. `left`: the other open ones. */
function questionsToShow(
  open: readonly OpenQuestion[],
  written: ReadonlyMap<string, OpenQuestion>,
  most: number,
): { shown: OpenQuestion[]; left: number } {
  const first = open.filter(({ stepId }, at) => at < most || written.has(stepId));
  const ids = new Set(open.map(({ stepId }) => stepId));
  const closed = [...written.values()].filter(({ stepId }) => !ids.has(stepId));
  const shown = [...first, ...closed].sort((one, other) =>
    one.requestedAt < other.requestedAt ? -1 : one.requestedAt > other.requestedAt ? 1 : 0,
  );
  return { shown, left: open.length - first.length };
}
