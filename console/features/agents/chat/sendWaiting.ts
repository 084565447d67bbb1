import { isProblem } from 'perdure-client';
import { QUERIES } from '../../../app/api/queries.ts';
import { isUnanswered } from '../../../app/delivery/unanswered.ts';
import { openKeptFiles } from '../../../app/storage/keptFiles.ts';
import { turnBegun } from '../../../app/storage/noticeChoice.ts';
import { changeOutbox, type OutboxMessage, outboxOf, settled } from '../../../app/storage/outbox.ts';
import { requireTaken, TurnAttached } from '../../approvals/turnAttached.ts';
import { messageParts } from './messageParts.ts';
import { streamMessage } from './mutations.ts';
import { takesMessage, task } from './queries.ts';

/** Tasks that are looked at, by `agentId taskId`; true: one has changed since that began. */
const looks = new Map<string, boolean>();

/** Sends the first message that waits for a task, if that takes it now; its turn goes on without a reader. */
export async function sendWaiting(agentId: string, taskId: string, isShown: () => boolean): Promise<void> {
  const key = `${agentId} ${taskId}`;
  if (looks.has(key)) {
    looks.set(key, true);
    return;
  }
  try {
    do {
      looks.set(key, false);
      await look(agentId, taskId, isShown);
    } while (looks.get(key) === true);
  } finally {
    looks.delete(key);
  }
}

async function look(agentId: string, taskId: string, isShown: () => boolean): Promise<void> {
  await openKeptFiles();
  const now = await QUERIES.fetchQuery({ ...task(agentId, taskId), staleTime: 0 });
  const arrived = new Set(now.messages.map(({ id }) => id));
  changeOutbox(agentId, taskId, (given) => settled(given, arrived, false));
  const next = outboxOf(agentId, taskId).find(({ state }) => state === 'waiting');
  if (next !== undefined && takesMessage(now) && !isShown()) await send(agentId, taskId, next);
}

async function send(agentId: string, taskId: string, { id, text, files }: OutboxMessage): Promise<void> {
  const become = (state: OutboxMessage['state']) =>
    changeOutbox(agentId, taskId, (given) => given.map((each) => (each.id === id ? { ...each, state } : each)));
  become('sent');
  turnBegun(agentId, taskId);
  try {
    const message = { id, role: 'user', parts: messageParts(text, files) };
    const answer = await streamMessage(agentId, taskId, { trigger: 'submit-message', message });
    await requireTaken(answer);
    await answer.body?.cancel();
    changeOutbox(agentId, taskId, (given) => given.filter((each) => each.id !== id));
  } catch (error) {
    const mayHaveCome = isProblem(error) && isUnanswered(error.status);
    // A conflict: the task has it, or a turn began before it.
    const goesLater = error instanceof TurnAttached || mayHaveCome || isProblem(error, 'CONFLICT');
    become(goesLater ? 'waiting' : 'held');
  }
}
