import { atTime } from '../../domain/expression/neededScope.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { readFirstBegin } from '../../prisma/store/execution/readFirstBegin.ts';
import type { ActivityServices } from '../services.ts';
import type { KeyedStep } from './keyOfStep.ts';

/**
 * The scope of a step, with `now` where its expressions name it: the time at which the step began, the same in every
 * attempt. `begun` is that of its row (epoch milliseconds), `startedAt` that of an attempt which finds none. In a retry
 * of the execution it stays what it was, until the step has completed: equal inputs keep their idempotency key.
 * A promise only there.
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
