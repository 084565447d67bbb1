import type { ExecutionWhole } from '../executions/queries/executions.ts';
import { INBOX } from './words.ts';

const words = INBOX.question;

/** Why a question takes no answer any more, as its execution says; undefined while it is open. */
export function closedText(
  { pendingInput, executionPath }: Pick<ExecutionWhole, 'pendingInput' | 'executionPath'>,
  stepId: string,
  userId: string,
): string | undefined {
  if (pendingInput?.some((each) => each.stepId === stepId) === true) return undefined;
  const step = executionPath?.find(({ id }) => id === stepId);
  // The read was a moment before the question.
  if (step?.status === 'NEEDS_INPUT') return undefined;
  if (step?.handle === 'expired' || step?.error?.code === 'INPUT_EXPIRED') return words.tooLate;
  if (step?.status !== 'COMPLETED') return words.ended;
  const { submittedBy } = (step.output ?? {}) as { submittedBy?: { id: string; name: string } };
  return submittedBy === undefined ? words.answeredAlready : answeredByText(submittedBy, userId);
}

export function answeredByText({ id, name }: { id: string; name: string }, userId: string): string {
  return id === userId ? words.answeredByYou : words.answeredBy(name);
}
