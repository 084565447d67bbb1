import { atTime } from '../../domain/expression/neededScope.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { readFirstBegin } from '../../prisma/store/execution/readFirstBegin.ts';
import type { ActivityServices } from '../services.ts';
import type { KeyedStep } from './keyOfStep.ts';

/**
 * Returns the scope of a step, with `now` if its expressions use it: the time at which the step began, equal in all
 * attempts. `begun` is that of its row (epoch milliseconds); without a row, `startedAt` of the attempt is used. A retry
 * of the execution keeps the time until the step has completed, so that equal inputs keep their idempotency key.
 * Returns a promise only if it must read that time.
 */
export function atBegin(
  { database }: Pick<ActivityServices, 'database'>,
  compiled: CompiledNode,
  step: Omit<KeyedStep, 'nodeId'>,
  scope: Scope,
  { begun, startedAt }: { begun?: number | null | undefined; startedAt: Date },
): Scope | Promise<Scope> {
  if (!compiled.now) return scope;
  const own = begun == null ? startedAt : new Date(begun);
  if (step.lineageId === null) return atTime(compiled, scope, own);
  return readFirstBegin(database, { ...step, nodeId: compiled.node.id }).then((first) =>
    atTime(compiled, scope, first === undefined ? own : new Date(first)),
  );
}
