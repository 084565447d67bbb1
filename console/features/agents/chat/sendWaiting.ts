import { isProblem } from 'perdure-client';
import { QUERIES } from '../../../app/api/queries.ts';
import {
  changeOutbox,
  firstWaiting,
  moved,
  type OutboxMessage,
  outboxOf,
  settled,
} from '../../../app/delivery/outbox.ts';
import { isUnanswered } from '../../../app/delivery/sendOnce.ts';
import { openKeptFiles } from '../../../app/storage/keptFiles.ts';
import { turnBegun } from '../../../app/storage/noticeChoice.ts';
import { requireTaken, TurnAttached } from '../../approvals/turnAttached.ts';
import { messageParts, streamMessage } from './mutations.ts';
import { takesMessage, task } from './queries.ts';

/** Tasks that are being checked, by `agentId taskId`; true if the task must be checked again. */
const checks = new Map<string, boolean>();

/** Sends the first message that waits for a task, if the task accepts it now. Nobody reads the stream of its turn. */
export async function sendWaiting(agentId: string, taskId: string, isShown: () => boolean): Promise<void> {
  const key = `${agentId} ${taskId}`;
  if (checks.has(key)) {
    checks.set(key, true);
    return;
  }
  try {
    do {
      checks.set(key, false);
      await check(agentId, taskId, isShown);
    } while (checks.get(key) === true);
  } finally {
    checks.delete(key);
  }
}

async function check(agentId: string, taskId: string, isShown: () => boolean): Promise<void> {
  await openKeptFiles();
  const now = await QUERIES.fetchQuery({ ...task(agentId, taskId), staleTime: 0 });
  const arrived = new Set(now.messages.map(({ id }) => id));
  changeOutbox(agentId, taskId, (given) => settled(given, arrived, false));
  const next = firstWaiting(outboxOf(agentId, taskId));
  if (next !== undefined && takesMessage(now) && !isShown()) await send(agentId, taskId, next);
}

async function send(agentId: string, taskId: string, { id, text, files }: OutboxMessage): Promise<void> {
  const move = (event: Parameters<typeof moved>[2]) =>
    changeOutbox(agentId, taskId, (messages) => moved(messages, id, event));
  move('sending');
  turnBegun(agentId, taskId);
  try {
    const message = { id, role: 'user', parts: messageParts(text, files) };
    const answer = await streamMessage(agentId, taskId, { trigger: 'submit-message', message });
    await requireTaken(answer);
    await answer.body?.cancel();
    move('arrived');
  } catch (error) {
    const mayHaveCome = isProblem(error) && isUnanswered(error.status);
    // On a conflict the task has the message, or another turn began first.
    const goesLater = error instanceof TurnAttached || mayHaveCome || isProblem(error, 'CONFLICT');
    move(goesLater ? 'unanswered' : 'refused');
  }
}
