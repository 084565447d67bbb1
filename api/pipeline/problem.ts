import { PROBLEMS, Problem } from '../../domain/problem.ts';
import { EngineAway } from '../../engine/engineAway.ts';
import { constraintProblem } from '../../prisma/constraints.ts';
import { isDatabaseUnavailable, isStatementRefused } from '../../prisma/databaseErrors.ts';
import { Reply } from './reply.ts';

/** Converts any error to a Problem. Unknown errors reveal no details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const again = { cause: error, retryAfter: 1 };
  // A statement that does not match the schema is our bug, which a retry would not fix.
  if (isDatabaseUnavailable(error) && !isStatementRefused(error)) {
    return new Problem('DATABASE_UNAVAILABLE', 'The database is unavailable or read-only; try again later', again);
  }
  if (error instanceof EngineAway) {
    return new Problem('ENGINE_UNAVAILABLE', 'The engine is unavailable; try again later', again);
  }
  const broken = constraintProblem(error);
  if (broken) return broken;
  // Thrown by Express for a path such as /api/projects/%E0%A4%A
  if (error instanceof URIError) {
    return new Problem('VALIDATION_FAILED', 'The path is not percent-encoded correctly', { cause: error });
  }
  return new Problem('INTERNAL', 'An unexpected error occurred; the log has an entry with this request id', {
    cause: error,
  });
}

/** RFC 9457. */
export function problemReply(problem: Problem, requestId: string): Reply {
  const { status, title } = PROBLEMS[problem.code];
  const headers: Record<string, string> = { 'content-type': 'application/problem+json; charset=utf-8' };
  if (problem.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(problem.retryAfter)));
  if (status === 401) headers['www-authenticate'] = problem.challenge ?? 'Bearer realm="perdure"';
  if (problem.allow !== undefined) headers.allow = problem.allow;
  if (typeof problem.members?.executionId === 'string') headers['x-execution-id'] = problem.members.executionId;
  const body = {
    type: `/docs/problems#${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    requestId,
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.members,
  };
  return new Reply(status, headers, JSON.stringify(body));
}
