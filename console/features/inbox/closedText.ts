import type { ExecutionWhole } from '../executions/queries/executions.ts';
import { INBOX } from './words.ts';

const words = INBOX.question;

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

export function answeredByText({ id, name }: { id: string; name: string }, userId: string): string {
  return id === userId ? words.answeredByYou : words.answeredBy(name);
}
