import { Anchor, Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { type RefObject, useEffect, useRef } from 'react';
import { ME } from '../../app/api/me.ts';
import { personId } from '../../app/storage/personId.ts';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type AskingTask, askedIn } from '../approvals/queries.ts';
import type { ExecutionWhole } from '../executions/queries/executions.ts';
import { ItemWork } from '../queues/ItemWork.tsx';
import { isOfItem, useHeldItems } from '../queues/leaseMutations.ts';
import { ITEM_WORK } from '../queues/words.ts';
import { Approval } from './Approval.tsx';
import type { InboxEntry } from './inboxEntry.ts';
import { isSameKind } from './mutations.ts';
import { closedText, Question } from './Question.tsx';
import { type ListedQuestion, questionContext } from './queries.ts';
import { INBOX } from './words.ts';

const words = INBOX;

interface InboxFormProps {
  entry: InboxEntry;
  /** Undefined while the lists are read. */
  listed: { question: readonly ListedQuestion[] | undefined; tasks: readonly AskingTask[] | undefined };
  hasNext: boolean;
  /** The element that gets the focus when the form appears; used once. */
  focus: RefObject<'field' | 'title' | undefined>;
  /** Increases when the open entry is chosen again. */
  choices: number;
  onEnded: (entry: InboxEntry, toNext: boolean) => void;
}

/** The form of the chosen entry. It stays when the entry is gone, so that nobody loses their text. */
export function InboxForm({ entry, listed, hasNext, focus, choices, onEnded }: InboxFormProps) {
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
    const seen = new MutationObserver(() => take() && seen.disconnect());
    seen.observe(within, { childList: true, subtree: true });
    return () => seen.disconnect();
  }, [focus, choices]);
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

const FIELDS = 'form :is(input, textarea, select), fieldset button, textarea';

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
    const others =
      listed?.filter((each) => each.stepId !== stepId && kind !== undefined && isSameKind(kind, each)) ?? [];
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
  return <ClosedQuestion execution={context.data} stepId={stepId} />;
}

interface ClosedQuestionProps {
  /** Undefined if the workspace has no such execution. */
  execution: ExecutionWhole | undefined;
  stepId: string;
}

function ClosedQuestion({ execution, stepId }: ClosedQuestionProps) {
  const { data: me } = useQuery(ME);
  if (me === undefined) return <Loading />;
  if (execution === undefined) {
    return (
      <Card withBorder role="alert">
        {words.question.notHere(me.workspace.name)}
      </Card>
    );
  }
  const { id, executionNumber, name, executionPath } = execution;
  const label = executionPath?.find((step) => step.id === stepId)?.label;
  return (
    <Card withBorder role="alert">
      {label !== undefined && <Text fw={600}>{label}</Text>}
      <Text>{closedText(execution, stepId, personId(me)) ?? words.question.ended}</Text>
      <Anchor component={Link} to={`/executions/${id}`} size="sm" underline="always">
        {words.question.execution} (#{executionNumber} {name})
      </Anchor>
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
  const item = useHeldItems().find(isOfItem(entry));
  return (
    <Card withBorder component="section" className="question" aria-label={ITEM_WORK.title(item?.name ?? '')}>
      {item === undefined ? <Text>{words.gone}</Text> : <ItemWork item={item} onEnded={onEnded} />}
    </Card>
  );
}
