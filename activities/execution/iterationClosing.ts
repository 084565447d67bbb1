import type { ScopeRef } from '../../domain/execution/activityCalls.ts';
import { iterationParts, loopKey } from '../../domain/execution/iteration.ts';
import type { Ending } from '../../domain/execution/progress.ts';
import type { IterationRecord } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import type { ActivityServices } from '../services.ts';
import { closeWith, failureMessage, outputOf, withSteps } from './executionClosing.ts';

/**
 * What is written when the scope of `ref` has ended: the execution's row, or the iteration's behind those that have
 * `ended` inside it. Nothing for a stop node inside a loop: the workflow closes all that is open first.
 */
export async function endingWrite(
  services: ActivityServices,
  ref: ScopeRef,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
  ended: IterationRecord[] = [],
): Promise<Pick<ProgressWrite, 'close' | 'iterations'>> {
  if (ref.iteration === undefined) {
    const isInside = 'iteration' in ending && ending.iteration !== undefined;
    return isInside ? {} : { close: await closeWith(services, ref, definition, ending, scope) };
  }
  if ('nodeId' in ending && ending.stop) return {};
  const needed = 'nodeId' in ending ? [ending.nodeId] : ending.endNodes;
  const known = await withSteps(services, ref, needed, scope);
  return { iterations: [...ended, iterationRecord(ref.iteration, definition, ending, known)] };
}

/** Of an iteration that ended otherwise than by a stop node; `scope` holds its last steps. */
export function iterationRecord(
  iteration: string,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
): IterationRecord {
  const part = iterationParts(iteration).at(-1);
  if (!part) throw new Error('The top is no iteration');
  const at = { loopKey: loopKey(part.parent, part.loopId), index: part.index };
  if (!('nodeId' in ending)) return { ...at, status: 'COMPLETED', output: outputOf(ending.endNodes, scope) };
  const step = scope.steps[ending.nodeId];
  const message = failureMessage(definition, ending.nodeId, step);
  return { ...at, status: 'FAILED', error: { code: step?.error?.code ?? 'UNKNOWN', message } };
}
