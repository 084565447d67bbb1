import { Card, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { Suspense, useState } from 'react';
import { ME, type Me } from '../../app/api/me.ts';
import { browserTexts } from '../../app/storage/browserStorage.ts';
import { draftKey, readDraft, writeDraft } from '../../app/storage/drafts.ts';
import { personId } from '../../app/storage/personId.ts';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { ExecutionWhole, OpenQuestion } from '../executions/queries/executions.ts';
import { answeredByText, closedText } from './closedText.ts';
import { Expiry } from './Expiry.tsx';
import { mayAnswer } from './mayAnswer.ts';
import { answerQuestion, type QuestionKind } from './mutations.ts';
import { QuestionAbout } from './QuestionAbout.tsx';
import { refreshQuestionOf, refreshQuestions } from './queries.ts';
import { INBOX } from './words.ts';
import './question.css';

const words = INBOX.question;
const AnswerAllDialog = lazyPart(() => import('./AnswerAllDialog.tsx'), 'AnswerAllDialog');

interface QuestionProps {
  executionId: string;
  question: OpenQuestion;
  execution: ExecutionWhole | undefined;
  isElsewhere?: boolean;
  onAnswered?: (how: { next: boolean }) => void;
  onWritten?: () => void;
  hasNext?: boolean;
  /** `others`: the number of listed open questions of the same kind. */
  alike?: { kind: QuestionKind; others: number } | undefined;
}

export function Question(props: QuestionProps) {
  const { data: me } = useQuery(ME);
  return me === undefined ? <Loading height={160} /> : <QuestionOf {...props} me={me} />;
}

function QuestionOf({ me, ...props }: QuestionProps & { me: Me }) {
  const userId = personId(me);
  const {
    executionId,
    question,
    execution,
    isElsewhere = false,
    onAnswered,
    onWritten,
    hasNext = false,
    alike,
  } = props;
  const { stepId, label, title, instructions, fields } = question;
  const queries = useQueryClient();
  const key = draftKey(userId, executionId, stepId);
  const [draft] = useState(() => readDraft(browserTexts(), key, Date.now()));
  const [hasWritten, setWritten] = useState(draft !== undefined);
  const [forAll, setForAll] = useState<Record<string, unknown>>();
  const answer = useMutation({
    mutationFn: ({ values }: { values: Record<string, unknown>; next: boolean }) =>
      answerQuestion({ ...question, executionId }, values),
    onSuccess: (_, { next }) => {
      browserTexts().removeItem(key);
      done(INBOX.submitted);
      void refreshQuestions(queries);
      onAnswered?.({ next });
    },
  });
  const problem = isProblem(answer.error) ? answer.error : undefined;
  const byField = Object.fromEntries(
    (problem?.errors ?? []).map(({ path, message }) => [path.split(/[.[]/)[0], message]),
  );
  const isForMe = mayAnswer(me, question);
  const closed = answer.isSuccess ? undefined : whyClosed(problem, execution, stepId, userId);
  return (
    <Card withBorder component="section" aria-label={title ?? label} mb="md" className="question">
      <Title order={2} size="h4" tabIndex={-1} className="form-title">
        {title ?? label}
      </Title>
      {instructions !== undefined && <Text className="instructions">{instructions}</Text>}
      <Limits {...question} />
      {execution !== undefined && <QuestionAbout question={question} execution={execution} isElsewhere={isElsewhere} />}
      {closed !== undefined && (
        <Text role="alert" className="closed">
          {closed} {hasWritten && words.keptText}
        </Text>
      )}
      {!isForMe && closed === undefined && <Text className="closed">{words.onlySome}</Text>}
      {answer.error !== null && closed === undefined && <ProblemAlert error={answer.error} />}
      {!answer.isSuccess && (
        <FieldForm
          fields={fields}
          submitLabel={INBOX.submit}
          nextLabel={hasNext ? INBOX.next : undefined}
          isBusy={answer.isPending}
          isLocked={closed !== undefined || !isForMe}
          problems={byField}
          initial={draft?.given}
          onGiven={(given) => {
            writeDraft(browserTexts(), key, fields, given, Date.now());
            setWritten(true);
            onWritten?.();
          }}
          allLabel={alike === undefined || alike.others === 0 ? undefined : INBOX.all.begin(alike.others)}
          onSubmit={(values, { next, all }) => (all ? setForAll(values) : answer.mutate({ values, next }))}
          beside={
            hasWritten && (
              <Text size="sm" c="var(--ink-neutral)">
                {words.draft}
              </Text>
            )
          }
        />
      )}
      {forAll !== undefined && alike !== undefined && (
        <Suspense>
          <AnswerAllDialog
            kind={alike.kind}
            values={forAll}
            onClose={(answered) => {
              setForAll(undefined);
              if (answered) browserTexts().removeItem(key);
              if (answered) void refreshQuestionOf(queries, executionId);
            }}
          />
        </Suspense>
      )}
      {answer.isSuccess && <Text role="status">{INBOX.submitted}</Text>}
    </Card>
  );
}

function Limits({ approvals, expiresAt }: OpenQuestion) {
  if (approvals === undefined && expiresAt === undefined) return null;
  return (
    <Text size="sm">
      {approvals !== undefined &&
        approvals.required > 1 &&
        `${INBOX.approvalsGiven(approvals.given, approvals.required)} `}
      {expiresAt !== undefined && <Expiry at={expiresAt} />}
    </Text>
  );
}

/** Returns why the question is closed, from the API's refusal or the execution; undefined while it is open. */
function whyClosed(
  problem: { status: number; detail: string; body: object } | undefined,
  execution: ExecutionWhole | undefined,
  stepId: string,
  userId: string,
): string | undefined {
  if (problem?.status === 409 || problem?.status === 404) {
    const { answeredBy } = problem.body as { answeredBy?: { id: string; name: string } };
    return answeredBy === undefined ? problem.detail : answeredByText(answeredBy, userId);
  }
  return execution === undefined ? undefined : closedText(execution, stepId, userId);
}
