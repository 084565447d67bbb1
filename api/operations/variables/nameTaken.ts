import { Problem } from '../../../domain/problem.ts';

/** A name stands once in the workspace's own variables, and once in those of each project. */
export function nameTaken(): Problem {
  return new Problem('CONFLICT', 'The scope has a variable of this name already', {
    errors: [{ path: 'body.name', message: 'is taken: expected a name that is new in the scope' }],
  });
}
