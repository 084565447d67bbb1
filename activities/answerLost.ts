import type { Failure } from '../domain/execution/outcome.ts';

export const ANSWER_LOST = 'ANSWER_LOST';

/** The failure of a call that must not be repeated. `cause`: the failure without an answer. */
export function answerLost(cause: Pick<Failure, 'code' | 'message'>): Failure {
  const why = cause.message.replace(/\.?$/, '.');
  const message = `${why} The call may have happened: look there, then retry the execution from this step.`;
  return { code: ANSWER_LOST, message, retryable: false, details: { cause: cause.code } };
}
