import { ownMember, setKey } from '../ownMember.ts';
import type { References } from './references.ts';
import type { Scope } from './scope.ts';

/** Drops the parts that the expressions do not read, because a smaller scope is faster to copy. */
export function neededScope(references: References, scope: Scope): Scope {
  const { trigger, allSteps, steps, allVariables, variables } = references;
  return {
    ...scope,
    trigger: trigger ? scope.trigger : null,
    steps: allSteps ? scope.steps : pick(scope.steps, steps),
    variables: allVariables ? scope.variables : pick(scope.variables, variables),
  };
}

export function atTime({ now }: { now: boolean }, scope: Scope, time: Date): Scope {
  return now ? { ...scope, now: time.toISOString() } : scope;
}

function pick<T>(all: Record<string, T>, names: ReadonlySet<string>): Record<string, T> {
  const picked: Record<string, T> = {};
  for (const name of names) {
    const value = ownMember(all, name);
    if (value !== undefined) setKey(picked, name, value);
  }
  return picked;
}
