import { withAnswers } from '../../domain/agent/approvals.ts';
import { answeredClosers, closersOf } from '../../domain/agent/openParts.ts';
import { isOpen, type RunEnd } from '../../domain/agent/runStatus.ts';
import type { TurnEnd, TurnEnded } from '../../domain/agent/turnCalls.ts';
import { errorTextOf } from '../../domain/agent/turnEnd.ts';
import { addUsage, NO_USAGE } from '../../domain/agent/usage.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { turnsAskingBelow } from '../../prisma/store/turn/readCalledTurn.ts';
import { readOpenTurn } from '../../prisma/store/turn/readOpenTurn.ts';
import { writeTurnEnd } from '../../prisma/store/turn/writeTurnEnd.ts';
import { foldMessage } from './foldMessage.ts';
import { stopTurn, type TurnParts } from './stopTurn.ts';

const WHY_OPEN: Readonly<Record<RunEnd, string>> = {
  STOPPED: 'Stopped',
  FAILED: 'The turn failed before this had ended',
  COMPLETED: 'Not finished',
  NEEDS_APPROVAL: 'Not finished',
};

/** Stores the streamed message and starts the task's next turn. Idempotent. A requested stop beats NEEDS_APPROVAL. */
export async function endTurn(parts: TurnParts, end: TurnEnd): Promise<TurnEnded> {
  const { database, feed, turns } = parts;
  const { workspaceId, runId, code } = end;
  const run = await readOpenTurn(database, workspaceId, runId);
  // Its task was deleted, so nothing is left to end.
  if (!run) return { status: end.status };
  const status = end.status === 'NEEDS_APPROVAL' && run.stopRequested ? 'STOPPED' : end.status;
  const { parts: kept = [] } = run.message ?? {};
  const answers = run.approvals ?? [];
  const why = WHY_OPEN[status];
  const closers =
    status === 'NEEDS_APPROVAL'
      ? []
      : [...answeredClosers(kept, answers, run.chunks, why), ...closersOf(run.chunks, why)];
  const before = run.message === null ? undefined : { ...run.message, parts: withAnswers(kept, answers) };
  const usage = [...run.steps.map((step) => step.usage), ...run.childUsages].reduce(addUsage, NO_USAGE);
  const message = await foldMessage(run.messageId, before, [
    ...run.chunks,
    ...closers,
    { type: 'message-metadata', messageMetadata: { usage: run.earlierUsages.reduce(addUsage, usage) } },
  ]);
  const finishReason = status === 'FAILED' ? 'error' : status === 'STOPPED' ? 'other' : run.steps.at(-1)?.finishReason;
  // These answers are no longer needed. Stopped before the end is written, so that a retry after a lost worker repeats
  // it.
  for (const asking of await turnsAskingBelow(database, workspaceId, runId)) {
    await stopTurn(parts, { workspaceId, runId: asking });
  }
  const ended = await writeTurnEnd(database, workspaceId, runId, {
    status,
    usage,
    closers,
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(code === undefined ? {} : { code, error: { code, message: errorTextOf(code) } }),
    ...(message.parts.length === 0 ? {} : { message }),
  });
  // It was stopped or ended since the read: the current row decides.
  if (!ended) return isOpen(run.status) ? endTurn(parts, end) : { status: run.status };
  feed.publish(changeOf(runId, ended));
  if (ended.nextRunId !== null) await turns.start({ workspaceId, runId: ended.nextRunId });
  return { status: ended.status, ...(ended.wantsName ? { wantsName: true } : {}) };
}
