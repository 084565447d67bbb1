import { activityInfo } from '@temporalio/activity';
import type { ActionTask } from '../../domain/execution/activityCalls.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import type { ActivityServices } from '../services.ts';
import type { IterationContext } from './loopContexts.ts';

/**
 * Returns the context of an action's expressions if it need not be read from the database:
 *
 *   a second delivery, or a reset workflow     read: the work may have been done
 *   a node that uses `now`                     read: its row contains the time at which it began
 *   an iteration that uses no step of its own  the common context of the loop (loopContexts.ts)
 *   anything else                              read
 */
export async function knownContext(
  services: ActivityServices,
  definition: CompiledDefinition,
  compiled: CompiledNode,
  task: ActionTask,
): Promise<IterationContext | undefined> {
  if (activityInfo().attempt > 1 || task.again || compiled.now) return undefined;
  if (task.iteration === undefined || namesOwnScope(definition, compiled)) return undefined;
  return services.loopContexts.of(definition, { ...task, iteration: task.iteration });
}

function namesOwnScope(definition: CompiledDefinition, { node, references }: CompiledNode): boolean {
  if (references.allSteps) return true;
  return [...references.steps].some((id) => definition.nodes.get(id)?.node.parentId === node.parentId);
}
