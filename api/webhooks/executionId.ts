import { Problem } from '../../domain/problem.ts';
import { Reply } from '../pipeline/reply.ts';

export const EXECUTION_HEADER = 'x-execution-id';

const LATE = 202;

/** Removes the execution's id from the header and from our own body, for strangers. */
export function withoutExecutionId({ status, headers, body }: Reply): Reply {
  const { [EXECUTION_HEADER]: executionId, ...others } = headers;
  const isLate = status === LATE && executionId !== undefined && typeof body === 'string' && body.includes(executionId);
  return new Reply(status, others, isLate ? withoutMember(body) : body);
}

/** Changes only our `{executionId, status}` of an unfinished execution, not a workflow's own answer. */
function withoutMember(text: string): string {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'executionId,status') return text;
  return JSON.stringify({ status: (body as { status: unknown }).status });
}

export function failureWithoutExecutionId(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'EXECUTION_FAILED') return error;
  return new Problem('EXECUTION_FAILED', error.message, { cause: error });
}
