import { Anchor, Card, Text, Title } from '@mantine/core';
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
import { answerQuestion, type QuestionKind } from './mutations.ts';
import { refreshQuestionOf, refreshQuestions } from './queries.ts';
import { INBOX } from './words.ts';
import './question.css';
import { Link } from '@tanstack/react-router';
import { refusalOf } from '../../../domain/execution/submission.ts';
import type { Submitters } from '../../../domain/workflow/submitters.ts';
import { useNow } from '../../ui/time/clock.ts';
import { Countdown, Moment } from '../../ui/time/Moment.tsx';
import { useAbsoluteTime } from '../../ui/time/useAbsoluteTime.ts';
import { earlierAnswers } from './earlierAnswers.ts';

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

interface QuestionAboutProps {
  question: Pick<OpenQuestion, 'iteration' | 'requestedAt'>;
  execution: ExecutionWhole;
  /** Not on the execution's own page, which shows labels and the link already. */
  isElsewhere: boolean;
}

function QuestionAbout({ question, execution, isElsewhere }: QuestionAboutProps) {
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

type Asked = Pick<OpenQuestion, 'submitters' | 'approvals'>;

/** Whether the user may answer the question. Only the API can check the exclusion of the starter. */
function mayAnswer(me: Me, { submitters = 'anyone', approvals }: Asked): boolean {
  const id = personId(me);
  const rule = {
    submitters: submitters as Submitters,
    required: approvals?.required ?? 1,
    excludeStarter: false,
  };
  const person = 'id' in me ? { email: me.email, role: me.role } : { email: null, role: null };
  const by = { type: 'id' in me ? ('user' as const) : ('apiKey' as const), id, name: '' };
  return refusalOf(rule, { by, person: id, ...person, permissions: new Set(me.permissions) }, []) === undefined;
}

/** Returns why a question is closed, from its execution; undefined while it is open. */
export function closedText(
  { pendingInput, executionPath }: Pick<ExecutionWhole, 'pendingInput' | 'executionPath'>,
  stepId: string,
  userId: string,
): string | undefined {
  if (pendingInput?.some((each) => each.stepId === stepId) === true) return undefined;
  const step = executionPath?.find(({ id }) => id === stepId);
  // The execution was read just before the question opened.
  if (step?.status === 'NEEDS_INPUT') return undefined;
  if (step?.handle === 'expired' || step?.error?.code === 'INPUT_EXPIRED') return words.tooLate;
  if (step?.status !== 'COMPLETED') return words.ended;
  const { submittedBy } = (step.output ?? {}) as { submittedBy?: { id: string; name: string } };
  return submittedBy === undefined ? words.answeredAlready : answeredByText(submittedBy, userId);
}

function answeredByText({ id, name }: { id: string; name: string }, userId: string): string {
  return id === userId ? words.answeredByYou : words.answeredBy(name);
}

export function Expiry({ at }: { at: string }) {
  const end = Date.parse(at);
  const absoluteTime = useAbsoluteTime();
  if (useNow() < end) {
    return (
      <>
        {INBOX.expires} <Countdown at={at} />
      </>
    );
  }
  return (
    <time dateTime={at} title={absoluteTime(end)}>
      {INBOX.hasExpired}
    </time>
  );
}
