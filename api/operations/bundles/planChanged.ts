import { Problem } from '../../../domain/problem.ts';

/** The state that the plan was made for has changed. */
export function planChanged(): Problem {
  return new Problem('PLAN_CHANGED', 'The project has changed since the plan: make another one');
}
