import { isOpen } from '../../../domain/agent/runStatus.ts';
import { errorTextOf } from '../../../domain/agent/turnEnd.ts';
import { Problem } from '../../../domain/problem.ts';
import { readAnswer, type TurnAnswer } from '../../../prisma/store/turn/readTurnOf.ts';
import { awaitChange } from '../../executions/awaitChange.ts';
import { Answer, type Operation } from '../../operation.ts';
import { startTurn } from '../../turns/startTurn.ts';

/** Runs a whole turn after the earlier ones of the task, and answers when it has ended. */
export const sendMessage: Operation<'sendMessage'> = async (request) => {
  const { params, signal, headers } = request;
  const { runId } = await startTurn(request, true);
  const answer = await untilEnded(request, runId);
  if (signal.aborted || !answer) throw new Problem('NOT_FOUND', 'The task was deleted during the turn');
  const { status, code, error, message } = answer;
  if (isOpen(status)) return new Answer({ taskId: params.taskId, runId, status: 'RUNNING' }, { status: 202 });
  if (status === 'FAILED')
    throw new Problem('TURN_FAILED', errorTextOf(code), {
      members: { taskId: params.taskId, runId, reason: code },
      ...(error?.retryAfterMs === undefined ? {} : { retryAfter: error.retryAfterMs / 1_000 }),
    });
  if (prefersText(headers.accept))
    return new Answer(textOf(message), { headers: { 'content-type': 'text/plain; charset=utf-8' } });
  return { taskId: params.taskId, messages: message === null ? [] : [message] };
};

/** Returns the ended turn, or its state after TURN_WAIT_MS; undefined if the task was deleted. */
async function untilEnded({ caller, services, signal }: Parameters<typeof sendMessage>[0], runId: string) {
  const { feed, config, database } = services;
  const ended = awaitChange(
    feed,
    runId,
    ({ status }) => status !== 'RUNNING' && status !== 'PENDING',
    config.TURN_WAIT_MS,
    signal,
    'notice',
  );
  try {
    const now = await readAnswer(database, caller.workspaceId, runId);
    if (now && !isOpen(now.status)) return now;
    await ended.change;
  } finally {
    ended.release();
  }
  return readAnswer(database, caller.workspaceId, runId);
}

function textOf(message: TurnAnswer['message']): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** Whether a client wants only text: it accepts text/plain, and nothing that JSON would match. */
function prefersText(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((each) => each.split(';')[0]?.trim().toLowerCase());
  return types.includes('text/plain') && !types.includes('application/json') && !types.includes('*/*');
}
