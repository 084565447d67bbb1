import { activityInfo } from '@temporalio/activity';
import type { ActionTask, ScopeRef } from '../../domain/execution/activityCalls.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { isOnlyFirst } from '../../domain/workflow/planIndex.ts';
import { iterationPlan } from '../../domain/workflow/scopePlan.ts';
import type { RecordedStep, RunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';

export interface KnownContext {
  context: RunContext;
  /** It has every step of its scope, so that it may be handed on when the next one is written. */
  isWhole: boolean;
  /** In an iteration: the concurrency of its loop. */
  atOnce?: number;
}

/**
 * The context of an action's expressions, if this process has it in memory:
 *
 *   a second delivery, or a reset workflow     read: the work may have been done
 *   a node that names `now`                    read: its row says since when it runs before the action is called
 *   the step before it in its scope ran here   the context that it handed on, if the row has the same revision
 *   an iteration that names no step of its own the common context of the loop (loopContexts.ts)
 *   anything else                              read
 */
export async function knownContext(
  services: ActivityServices,
  definition: CompiledDefinition,
  compiled: CompiledNode,
  task: ActionTask,
): Promise<KnownContext | undefined> {
  if (activityInfo().attempt > 1 || task.again || compiled.now) return undefined;
  const handed = task.revision === undefined ? undefined : await handedOver(services, definition, task, task.revision);
  if (handed) return { ...handed, isWhole: true };
  if (task.iteration === undefined || namesOwnScope(definition, compiled)) return undefined;
  const known = await services.loopContexts.of(definition, { ...task, iteration: task.iteration });
  const isWhole = task.attempt === 1 && isOnlyFirst(iterationPlan(definition.plan, task.iteration), task.nodeId);
  return known && { ...known, isWhole };
}

/** The context from the last write of the scope, at this revision. It is handed out once. */
export async function handedOver(
  { handoff, loopContexts }: ActivityServices,
  definition: CompiledDefinition,
  ref: ScopeRef,
  revision: number,
): Promise<Omit<KnownContext, 'isWhole'> | undefined> {
  const kept = handoff?.take(ref, revision);
  if (!kept || ref.iteration === undefined) return kept && { context: kept };
  const known = await loopContexts.of(definition, { ...ref, iteration: ref.iteration });
  if (!known) return undefined;
  const { context, atOnce } = known;
  return { context: { ...context, steps: { ...context.steps, ...kept.steps } }, atOnce };
}

/** Hands the context on to the next step of the scope. For an iteration only its own steps: the rest is shared. */
export function handOn(
  { handoff }: ActivityServices,
  definition: CompiledDefinition,
  ref: ScopeRef,
  revision: number,
  { context, written }: { context: RunContext; written: readonly StepRecord[] },
): void {
  const after = afterWrite(context, written);
  if (ref.iteration === undefined) {
    handoff?.put(ref, revision, after);
    return;
  }
  const own = new Set(iterationPlan(definition.plan, ref.iteration).nodes.map(({ id }) => id));
  const steps = Object.fromEntries(Object.entries(after.steps).filter(([nodeId]) => own.has(nodeId)));
  const { loops: _, ...alone } = { ...after, trigger: null, variables: {}, steps };
  handoff?.put(ref, revision, alone);
}

/** Whether an expression of the node names a step of the scope in which it stands. */
function namesOwnScope(definition: CompiledDefinition, { node, references }: CompiledNode): boolean {
  if (references.allSteps) return true;
  return [...references.steps].some((id) => definition.nodes.get(id)?.node.parentId === node.parentId);
}

/** The context as a read would give it after these steps were written. */
function afterWrite(context: RunContext, records: readonly StepRecord[]): RunContext {
  const steps = { ...context.steps };
  for (const record of records) {
    const before = ownMember(context.steps, record.nodeId);
    setKey(steps, record.nodeId, recorded(record, before));
  }
  return { ...context, status: 'RUNNING', steps };
}

function recorded(record: StepRecord, before: RecordedStep | undefined): RecordedStep {
  const { status, attempt, handle = null, output = null, error = null, startedAt, wakeAt } = record;
  const times = { startedAt: before?.startedAt ?? timeOf(startedAt), wakeAt: timeOf(wakeAt) };
  return { id: before?.id ?? record.id, status, attempt, handle, output, error, ...times };
}

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}
