import type { Keeping } from '../../domain/execution/executionRetry.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { isEqualJson } from '../../domain/isEqualJson.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { childIdOf } from '../../engine/executions/childIdOf.ts';
import { retrySelection } from '../../engine/executions/retrySelection.ts';
import type { Database } from '../../prisma/client.ts';
import { haveParentsEqualInput } from '../../prisma/store/execution/haveParentsEqualInput.ts';
import { readEarlierRuns } from '../../prisma/store/execution/readEarlierRuns.ts';
import { readRetrySource } from '../../prisma/store/execution/readRetrySource.ts';
import { readAnsweredExecutions } from '../../prisma/store/execution/stepsToReuse.ts';
import type { ActivityServices } from '../services.ts';
import type { InlineRun } from './inlineRun.ts';

export interface EarlierChild {
  executionId: string;
  trigger: Json;
  keeping: Keeping;
}

/**
 * Returns, in a retry, the newest execution that the step started earlier, if the step has not completed since. A step
 * that had completed runs again on purpose, including its child. Runs that started no child, because the workflow was
 * not active or the run was cancelled before, are skipped.
 */
export async function earlierChildId(services: ActivityServices, run: InlineRun): Promise<string | undefined> {
  if (run.lineageId === null) return undefined;
  const { database } = services;
  const { workspaceId, executionId, iteration } = run;
  const nodeId = run.compiled.node.id;
  const runs = await readEarlierRuns(database, { workspaceId, executionId, nodeId, iteration });
  const ids = runs.map((earlier) => childIdOf(services.executionIds, earlier, nodeId, iteration));
  if (ids.length === 0) return undefined;
  const there = await database.execution.findMany({ where: { workspaceId, id: { in: ids } }, select: { id: true } });
  return ids.find((id) => there.some((each) => each.id === id));
}

/**
 * Returns the work of an earlier child that a child with the same workflow and input reuses, however it ended. Returns
 * `open` if it has not ended because its parent was terminated: it may still act, so no other child may begin in its
 * place.
 */
export async function workOfEarlier(
  { database, definitions, config }: ActivityServices,
  workspaceId: string,
  earlierId: string,
  now: { workflowId: string; definition: CompiledDefinition; trigger: Json; parentExecutionId?: string | undefined },
): Promise<EarlierChild | 'open' | undefined> {
  const source = await readRetrySource(database, workspaceId, earlierId);
  if (!source || source.workflowId !== now.workflowId || source.versionId === null) return undefined;
  const { type } = now.definition.trigger;
  if (!isEqualJson(withoutClock(source.trigger, type), withoutClock(now.trigger, type))) return undefined;
  if (!isTerminal(source.status)) return 'open';
  if (await isAnsweredUnderOtherInput(database, workspaceId, earlierId, now.parentExecutionId)) return undefined;
  const { executionId, versionId, trigger } = source;
  const before = await definitions.get({ workspaceId, executionId, versionId });
  const versions = { before, after: now.definition };
  const keeping = await retrySelection({ database, config }, workspaceId, source, { completed: 'kept' }, versions);
  return { executionId, trigger, keeping };
}

/** An answer is not reused if the parent's input differs, even if the child's input is equal. */
async function isAnsweredUnderOtherInput(
  database: Database,
  workspaceId: string,
  earlierId: string,
  parentId: string | undefined,
): Promise<boolean> {
  if (parentId === undefined || (await haveParentsEqualInput(database, workspaceId, earlierId, parentId))) return false;
  return (await readAnsweredExecutions(database, workspaceId, [earlierId])).size > 0;
}

/** A workflow with a schedule trigger receives its start time in the trigger if another workflow starts it. */
function withoutClock(trigger: Json, type: CompiledDefinition['trigger']['type']): Json {
  if (type !== 'schedule' || !isJsonObject(trigger)) return trigger;
  const { scheduledAt: _, firedAt: __, ...input } = trigger;
  return input;
}
