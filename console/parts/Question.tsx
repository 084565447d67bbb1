import { Card, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import type { OpenQuestion } from '../data/executions.ts';
import { client } from '../session.ts';
import { WORDS } from '../words/en.ts';
import { FieldForm } from './FieldForm.tsx';
import { Moment } from './Moment.tsx';
import { done } from './notices.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = WORDS.execution;

/** An open question as a form; the person answers as who they are. */
export function Question({ executionId, question }: { executionId: string; question: OpenQuestion }) {
  const { nodeId, stepId, label, title, instructions, fields, approvals, expiresAt, link } = question;
  const token = new URL(link, location.origin).searchParams.get('token');
  const answer = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      client.submitInput({
        path: { executionId, nodeId },
        query: { stepId, ...(token === null ? {} : { token }) },
        body,
      }),
    onSuccess: () => done(words.submitted),
  });
  const problem = isProblem(answer.error) ? answer.error : undefined;
  const byField = Object.fromEntries(
    (problem?.errors ?? []).map(({ path, message }) => [path.split(/[.[]/)[0], message]),
  );
  const isAnswered = problem?.status === 409 || problem?.status === 404;
  return (
    <Card withBorder component="section" aria-label={title ?? label} mb="md">
      <Title order={2} size="h4">
        {title ?? label}
      </Title>
      {instructions !== undefined && <Text style={{ whiteSpace: 'pre-wrap' }}>{instructions}</Text>}
      <Text size="sm" mb="sm">
        {approvals !== undefined && words.approvals(approvals.given, approvals.required)}{' '}
        {expiresAt !== undefined && (
          <>
            {words.expires} <Moment at={expiresAt} />
          </>
        )}
      </Text>
      {isAnswered && <Text role="alert">{words.answeredAlready}</Text>}
      {answer.error !== null && !isAnswered && <ProblemAlert error={answer.error} />}
      {!isAnswered && !answer.isSuccess && (
        <FieldForm
          fields={fields}
          submitLabel={words.submit}
          isBusy={answer.isPending}
          problems={byField}
          onSubmit={(values) => answer.mutate(values)}
        />
      )}
      {answer.isSuccess && <Text role="status">{words.submitted}</Text>}
    </Card>
  );
}
