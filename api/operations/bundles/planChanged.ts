import { Problem } from '../../../domain/problem.ts';

/** Somebody has changed what the plan was made for. */
export function planChanged(): Problem {
  return new Problem('PLAN_CHANGED', 'The project has changed since the plan: make another one');
}
