import { isUuid } from '../../domain/isUuid.ts';
import type { Database } from '../../prisma/client.ts';
import {
  beginOnceMore,
  begunExecutions,
  compareSoon,
  endedAmong,
  type MayRepeat,
  mayRepeat,
  REPEATED_KINDS,
  type RepeatedKind,
  sendAnswersAgain,
} from '../../prisma/store/operation/workAfterRestore.ts';
import type { KnownWorkflow } from './temporalTables.ts';

/** Answers are marked as sent half a second late, and the clocks of the two databases may differ. */
const MARGIN_MS = 60_000;

export type RestoredKind = RepeatedKind | 'executionsBegunOnceMore' | 'executionsEndedHere' | 'answersSentAgain';

export const MEANINGS: Readonly<Record<RestoredKind, string>> = {
  executionsGoOn: 'were open: what they did after the backup is done again, with the same idempotency keys',
  stepsOnTheirWay:
    'steps that were on their way: an attempt may have reached the other side, and is made again under its key',
  stepsNewerThanHistory:
    'steps that the engine does not know to have ended: it comes to them again, and takes their result as it is',
  executionsBegunOnceMore:
    'executions that the engine did not know: they begin again, and take the steps that are written as they are',
  executionsEndedHere: 'executions that have ended, and that the engine still runs: it ends with their next step',
  answersSentAgain: 'answers of people that the engine may lack: they are sent again',
  turns: 'turns of agents that were open: their model calls and tools may run again',
  queueItemsLeased: 'items that somebody held: they come back when the lease ends, though their work may be done',
  eventDeliveries: 'events on their way: receivers may get one again, under the same id',
  mails: 'mails on their way: they may have been sent',
  documents: 'documents that were being read in: they are read again',
};

export type Restored = Record<RestoredKind, MayRepeat[]>;

/**
 * Settles a restored database before a process uses it, and returns what may be repeated. `temporalAt`: the time of the
 * engine's data, no newer than the database's. `known`: the engine's workflows; absent if they cannot be read, and the
 * reconciler compares instead.
 */
export async function settleRestored(
  database: Database,
  temporalAt: Date,
  known?: AsyncIterable<KnownWorkflow[]>,
): Promise<Restored> {
  const listed = await Promise.all(
    REPEATED_KINDS.map(async (kind) => [kind, await mayRepeat(database, kind, temporalAt)] as const),
  );
  const compared = known ? await compare(database, known) : { executionsBegunOnceMore: [], executionsEndedHere: [] };
  const answersSentAgain = await sendAnswersAgain(database, new Date(temporalAt.getTime() - MARGIN_MS));
  await compareSoon(database);
  return { ...(Object.fromEntries(listed) as Record<RepeatedKind, MayRepeat[]>), ...compared, answersSentAgain };
}

async function compare(database: Database, known: AsyncIterable<KnownWorkflow[]>) {
  const unknown = new Set(await begunExecutions(database));
  const executionsEndedHere: MayRepeat[] = [];
  for await (const page of known) {
    for (const { workflowId } of page) unknown.delete(workflowId);
    const running = page.flatMap(({ workflowId, isRunning }) => (isRunning && isUuid(workflowId) ? [workflowId] : []));
    executionsEndedHere.push(...(await endedAmong(database, running)));
  }
  return { executionsBegunOnceMore: await beginOnceMore(database, [...unknown]), executionsEndedHere };
}
