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

/** The execution of which a child is a retry, and what it takes over from it. */
export interface EarlierChild {
  executionId: string;
  trigger: Json;
  keeping: Keeping;
}

/**
 * In a retry: the newest execution that the step started before, where the step has not completed since. A step that had completed
 * is run again on purpose, and so is all that it starts. A run of the step that started none, since its workflow was not active or
 * it was cancelled before, is passed over.
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
 * The work of an earlier child that the same workflow with the same input takes over, however it ended. `open`: it has not ended yet,
 * since its parent was terminated: what it still does is not known, so nothing may begin in its place.
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

/** An answer is not reused under another input of the parent, although the input of the child is equal. */
async function isAnsweredUnderOtherInput(
  database: Database,
  workspaceId: string,
  earlierId: string,
  parentId: string | undefined,
): Promise<boolean> {
  if (parentId === undefined || (await haveParentsEqualInput(database, workspaceId, earlierId, parentId))) return false;
  return (await readAnsweredExecutions(database, workspaceId, [earlierId])).size > 0;
}

/** Started by another workflow, one that the clock starts gets the time of its start. */
function withoutClock(trigger: Json, type: CompiledDefinition['trigger']['type']): Json {
  if (type !== 'schedule' || !isJsonObject(trigger)) return trigger;
  const { scheduledAt: _, firedAt: __, ...input } = trigger;
  return input;
}
