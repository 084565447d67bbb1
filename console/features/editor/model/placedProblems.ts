import type { ProblemDetail } from '../../../../domain/problem.ts';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { durationProblem } from './durationProblem.ts';
import { type PlacedProblem, placeOf } from './problemPlace.ts';
import { isLack } from './problemWords.ts';

/** Removes duplicate problems and assigns each to its form. */
export function placed(problems: readonly ProblemDetail[], definition: Definition): PlacedProblem[] {
  const seen = new Set<string>();
  return problems.flatMap((problem) => {
    const key = `${problem.path}\n${problem.message}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const { path, message } = problem;
    return [{ ...placeOf(problem, definition), path, message: durationProblem(message), isLack: isLack(message) }];
  });
}
