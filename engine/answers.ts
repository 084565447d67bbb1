import type { Logger } from 'pino';
import { iterationParts } from '../domain/execution/iteration.ts';
import { queuedByAnswer } from '../domain/execution/queuedByAnswer.ts';
import type { StepRecord } from '../domain/execution/stepRecord.ts';
import type { JsonObject } from '../domain/json.ts';
import { scopePlan } from '../domain/workflow/scopePlan.ts';
import type { Database } from '../prisma/client.ts';
import { markTold, type PendingInputRow, submitAnswer } from '../prisma/store/execution/pendingInput.ts';
import { claimUntoldInputs } from '../prisma/store/execution/reconcileQueries.ts';
import type { ChangeFeed } from './changeFeed.ts';
import type { DefinitionCache } from './definitionCache.ts';
import { type Engine, EngineAway, type QuestionRef } from './engine.ts';
import { queuedRecords } from './stepRecords.ts';

export interface AnswerParts {
  database: Database;
  engine: Engine;
  definitions: DefinitionCache;
  feed: ChangeFeed;
  log: Logger;
}

/**
 * Takes a submission, once: with the last that the question takes, one statement completes its step and shows what
 * comes next as queued. The execution is then told by a signal, and goes on at once; where it is lost, the reconciler
 * sends it. False when the question takes nothing more.
 */
export async function takeAnswer(parts: AnswerParts, question: PendingInputRow, values: JsonObject): Promise<boolean> {
  const { database, feed, engine, log } = parts;
  const submitted = await submitAnswer(database, question, values, await queuedSteps(parts, question));
  if (!submitted) return false;
  const { change } = submitted;
  if (!change) return true;
  feed.publish(change);
  try {
    await tell(database, engine, { ...question, settled: { revision: change.revision } });
  } catch (error) {
    const away = error instanceof EngineAway;
    const { executionId, nodeId } = question;
    log.warn({ executionId, nodeId, ...(away ? {} : { err: error }) }, 'accepted; the engine is told later');
  }
  return true;
}

/** Tells the engine of answers that it does not know of. */
export async function tellUntold(database: Database, engine: Engine, ageMs: number, limit: number): Promise<void> {
  for (const { settled, ...question } of await claimUntoldInputs(database, ageMs, limit)) {
    if (settled) await tell(database, engine, { ...question, settled: {} });
    else await engine.signalInput(question);
  }
}

/** Where the workflow that asked is gone, its execution or iteration has ended: there is nobody to tell. */
async function tell(database: Database, engine: Engine, question: QuestionRef & { id: string }): Promise<void> {
  await engine.signalInput(question);
  await markTold(database, question.id);
}

async function queuedSteps({ definitions }: AnswerParts, question: PendingInputRow): Promise<StepRecord[]> {
  const { workspaceId, executionId, versionId, nodeId, iteration, steps } = question;
  const definition = await definitions.get({ workspaceId, executionId, ...(versionId === null ? {} : { versionId }) });
  const plan = scopePlan(definition.plan, iterationParts(iteration).at(-1)?.loopId);
  return queuedRecords(definition, queuedByAnswer(plan, nodeId, steps), iteration);
}
