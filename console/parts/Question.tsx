import { Card, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { draftKey, readDraft, writeDraft } from '../data/drafts.ts';
import type { ExecutionWhole, OpenQuestion } from '../data/executions.ts';
import { idOf, ME } from '../data/me.ts';
import { client } from '../session.ts';
import { WORDS } from '../words/en.ts';
import { Countdown } from './Countdown.tsx';
import { FieldForm } from './FieldForm.tsx';
import { Loading } from './Loading.tsx';
import { done } from './notices.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';
import { QuestionAbout } from './QuestionAbout.tsx';
import './question.css';

const words = WORDS.inbox.question;

interface QuestionProps {
  executionId: string;
  question: OpenQuestion;
  /** Tells what the question is about; absent while it is read. */
  execution: ExecutionWhole | undefined;
  /** Not on the execution's own page. */
  isElsewhere?: boolean;
  /** Called after the answer was taken. */
  onAnswered?: (how: { next: boolean }) => void;
  /** There is a next question to go to. */
  hasNext?: boolean;
}

/** An open question as a form, with all that a decision needs; the person answers as who they are. */
export function Question(props: QuestionProps) {
  const { data: me } = useQuery(ME);
  return me === undefined ? <Loading height={160} /> : <QuestionOf {...props} userId={idOf(me)} />;
}

function QuestionOf({ userId, ...props }: QuestionProps & { userId: string }) {
  const { executionId, question, execution, isElsewhere = false, onAnswered, hasNext = false } = props;
  const { nodeId, stepId, label, title, instructions, fields, approvals, expiresAt, link } = question;
  const queries = useQueryClient();
  const key = draftKey(userId, executionId, stepId);
  const [draft] = useState(() => readDraft(localStorage, key, Date.now()));
  const [hasWritten, setWritten] = useState(draft !== undefined);
  const token = new URL(link, location.origin).searchParams.get('token');
  const answer = useMutation({
    mutationFn: ({ values }: { values: Record<string, unknown>; next: boolean }) =>
      client.submitInput({
        path: { executionId, nodeId },
        query: { stepId, ...(token === null ? {} : { token }) },
        body: values,
      }),
    onSuccess: (_, { next }) => {
      localStorage.removeItem(key);
      done(WORDS.execution.submitted);
      void queries.invalidateQueries({ queryKey: ['listPendingInputs'] });
      onAnswered?.({ next });
    },
  });
  const problem = isProblem(answer.error) ? answer.error : undefined;
  const byField = Object.fromEntries(
    (problem?.errors ?? []).map(({ path, message }) => [path.split(/[.[]/)[0], message]),
  );
  const closed = answer.isSuccess ? undefined : closedText(problem, execution, stepId, userId);
  return (
    <Card withBorder component="section" aria-label={title ?? label} mb="md" className="question">
      <Title order={2} size="h4" tabIndex={-1} className="form-title">
        {title ?? label}
      </Title>
      {instructions !== undefined && <Text className="instructions">{instructions}</Text>}
      {(approvals !== undefined || expiresAt !== undefined) && (
        <Text size="sm">
          {approvals !== undefined &&
            approvals.required > 1 &&
            `${WORDS.inbox.approvalsGiven(approvals.given, approvals.required)} `}
          {expiresAt !== undefined && (
            <>
              {WORDS.inbox.expires} <Countdown at={expiresAt} />
            </>
          )}
        </Text>
      )}
      {execution !== undefined && <QuestionAbout question={question} execution={execution} isElsewhere={isElsewhere} />}
      {closed !== undefined && (
        <Text role="alert" className="closed">
          {closed} {hasWritten && words.keptText}
        </Text>
      )}
      {answer.error !== null && closed === undefined && <ProblemAlert error={answer.error} />}
      {!answer.isSuccess && (
        <FieldForm
          fields={fields}
          submitLabel={WORDS.execution.submit}
          nextLabel={hasNext ? WORDS.inbox.next : undefined}
          isBusy={answer.isPending}
          isLocked={closed !== undefined}
          problems={byField}
          initial={draft?.given}
          onGiven={(given) => {
            writeDraft(localStorage, key, fields, given, Date.now());
            setWritten(true);
          }}
          onSubmit={(values, { next }) => answer.mutate({ values, next })}
          beside={
            hasWritten && (
              <Text size="sm" c="var(--ink-neutral)">
                {words.draft}
              </Text>
            )
          }
        />
      )}
      {answer.isSuccess && <Text role="status">{WORDS.execution.submitted}</Text>}
    </Card>
  );
}

/** Why it takes no answer any more, by what the API refused or the execution now says; undefined where it is open. */
function closedText(
  problem: { status: number; detail: string; body: object } | undefined,
  execution: ExecutionWhole | undefined,
  stepId: string,
  userId: string,
): string | undefined {
  if (problem?.status === 409 || problem?.status === 404) {
    const { answeredBy } = problem.body as { answeredBy?: { id: string; name: string } };
    return answeredBy === undefined ? problem.detail : answeredByText(answeredBy, userId);
  }
  if (execution === undefined || execution.pendingInput?.some((each) => each.stepId === stepId) === true)
    return undefined;
  const step = execution.executionPath?.find(({ id }) => id === stepId);
  // The read was a moment before the question.
  if (step?.status === 'NEEDS_INPUT') return undefined;
  if (step?.status !== 'COMPLETED') return words.ended;
  const { submittedBy } = (step.output ?? {}) as { submittedBy?: { id: string; name: string } };
  return submittedBy === undefined ? words.answeredAlready : answeredByText(submittedBy, userId);
}

function answeredByText({ id, name }: { id: string; name: string }, userId: string): string {
  return id === userId ? words.answeredByYou : words.answeredBy(name);
}
