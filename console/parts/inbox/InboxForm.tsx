import { Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type RefObject, useEffect, useRef } from 'react';
import { isAlike } from '../../data/alike.ts';
import { type AskingTask, askedIn } from '../../data/approvals.ts';
import { type InboxEntry, itemOf } from '../../data/inboxEntry.ts';
import { type ListedQuestion, questionContext } from '../../data/questions.ts';
import { useHeld } from '../../live/held.ts';
import { INBOX } from '../../words/en/inbox.ts';
import { Loading } from '../Loading.tsx';
import { ProblemAlert } from '../problem/ProblemAlert.tsx';
import { ItemWork } from '../queue/ItemWork.tsx';
import { Approval } from './Approval.tsx';
import { Question } from './Question.tsx';

const words = INBOX;

interface InboxFormProps {
  entry: InboxEntry;
  /** What the lists have; undefined while they are read. */
  listed: { question: readonly ListedQuestion[] | undefined; tasks: readonly AskingTask[] | undefined };
  hasNext: boolean;
  /** Where the focus goes once the form stands; taken once. */
  focus: RefObject<'field' | 'title' | undefined>;
  onEnded: (entry: InboxEntry, goesOn: boolean) => void;
}

/** The form of the entry that is chosen. What was shown stays when the entry is gone, so that nobody loses what they wrote. */
export function InboxForm({ entry, listed, hasNext, focus, onEnded }: InboxFormProps) {
  const place = useRef<HTMLDivElement>(null);
  const end = ({ next }: { next: boolean }) => onEnded(entry, next);
  useEffect(() => {
    const within = place.current;
    if (within === null || focus.current === undefined) return;
    const take = () => {
      const target = within.querySelector<HTMLElement>(focus.current === 'title' ? '.form-title' : FIELDS);
      if (target === null) return false;
      target.focus();
      focus.current = undefined;
      return true;
    };
    if (take()) return;
    // It is still read.
    const seen = new MutationObserver(() => take() && seen.disconnect());
    seen.observe(within, { childList: true, subtree: true });
    return () => seen.disconnect();
  }, [focus]);
  return (
    <div ref={place}>
      {entry.kind === 'question' && (
        <QuestionEntry entry={entry} listed={listed.question} hasNext={hasNext} onAnswered={end} />
      )}
      {entry.kind === 'approval' && <ApprovalEntry taskId={entry.taskId} tasks={listed.tasks} onAnswered={end} />}
      {entry.kind === 'item' && <ItemEntry entry={entry} onEnded={end} />}
    </div>
  );
}

const FIELDS = 'form :is(input, textarea, select, [role=radio]), fieldset button, textarea';

interface QuestionEntryProps {
  entry: Extract<InboxEntry, { kind: 'question' }>;
  listed: readonly ListedQuestion[] | undefined;
  hasNext: boolean;
  onAnswered: (how: { next: boolean }) => void;
}

function QuestionEntry({ entry: { executionId, stepId }, listed, hasNext, onAnswered }: QuestionEntryProps) {
  const context = useQuery(questionContext(executionId));
  const found =
    context.data?.pendingInput?.find((each) => each.stepId === stepId) ??
    listed?.find((each) => each.executionId === executionId && each.stepId === stepId);
  const last = useRef(found);
  last.current = found ?? last.current;
  if (last.current !== undefined) {
    const { nodeId, fields } = last.current;
    const workflowId = context.data?.workflow?.id;
    const kind = workflowId === undefined ? undefined : { workflowId, nodeId, fields };
    const others = listed?.filter((each) => each.stepId !== stepId && kind !== undefined && isAlike(kind, each)) ?? [];
    return (
      <Question
        alike={kind === undefined ? undefined : { kind, others: others.length }}
        executionId={executionId}
        question={last.current}
        execution={context.data}
        isElsewhere
        hasNext={hasNext}
        onAnswered={onAnswered}
      />
    );
  }
  if (context.isPending) return <Loading />;
  if (context.error !== null && !(isProblem(context.error) && context.error.status === 404)) {
    return <ProblemAlert error={context.error} onRetry={() => void context.refetch()} />;
  }
  const step = context.data?.executionPath?.find(({ id }) => id === stepId);
  const by = (step?.output as { submittedBy?: { name: string } } | null | undefined)?.submittedBy?.name;
  return (
    <Card withBorder role="alert">
      {step?.status === 'COMPLETED'
        ? by === undefined
          ? words.question.answeredAlready
          : words.question.answeredBy(by)
        : words.question.ended}
    </Card>
  );
}

interface ApprovalEntryProps {
  taskId: string;
  tasks: readonly AskingTask[] | undefined;
  onAnswered: (how: { next: boolean }) => void;
}

function ApprovalEntry({ taskId, tasks, onAnswered }: ApprovalEntryProps) {
  const found = tasks?.find(({ id }) => id === taskId);
  const last = useRef(found);
  last.current = found ?? last.current;
  if (last.current !== undefined) {
    return (
      <Approval
        key={askedIn(last.current)}
        task={last.current}
        isClosed={found === undefined}
        onAnswered={() => onAnswered({ next: false })}
      />
    );
  }
  return tasks === undefined ? <Loading /> : <Card withBorder>{words.approval.gone}</Card>;
}

interface ItemEntryProps {
  entry: Extract<InboxEntry, { kind: 'item' }>;
  onEnded: (how: { next: boolean }) => void;
}

function ItemEntry({ entry, onEnded }: ItemEntryProps) {
  const item = useHeld().find(itemOf(entry));
  return (
    <Card withBorder component="section" className="question" aria-label={words.item.title(item?.name ?? '')}>
      {item === undefined ? <Text>{words.gone}</Text> : <ItemWork item={item} onEnded={onEnded} />}
    </Card>
  );
}
