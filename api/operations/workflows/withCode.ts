import type { ProblemDetail } from '../../../domain/problem.ts';

/** Fills in the members that every problem of a definition has in answers. */
export function withCode(problem: ProblemDetail) {
  const { code = 'INVALID', severity = 'error', ...others } = problem;
  return { code, severity, ...others };
}
