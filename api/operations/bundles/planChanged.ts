import { Problem } from '../../../domain/problem.ts';

export function planChanged(): Problem {
  return new Problem('PLAN_CHANGED', 'The project has changed since the plan: make another one');
}
