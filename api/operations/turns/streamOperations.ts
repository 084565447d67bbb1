import { Problem } from '../../../domain/problem.ts';
import { stopTurn } from '../../../engine/turns/stopTurn.ts';
import { mayFollowTask } from '../../../prisma/store/turn/mayFollowTask.ts';
import { changeOf } from '../../../prisma/store/turn/notifyTurn.ts';
import { askingTurnOf } from '../../../prisma/store/turn/readCalledTurn.ts';
import { readRunning } from '../../../prisma/store/turn/readTurnOf.ts';
import { requestStop } from '../../../prisma/store/turn/requestStop.ts';
import type { Caller } from '../../access/caller.ts';
import { Answer, EventStream, type Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { startTurn } from '../../turns/startTurn.ts';
import { taskNotFound } from '../../turns/taskNotFound.ts';
import { ATTACHED_HEADERS, cursorOf, markOf, TURN_STREAM_HEADERS } from '../../turns/turnEvents.ts';

export const streamMessage: Operation<'streamMessage'> = async (request) => {
  const { caller, services, signal } = request;
  const { runId, continuesMessage, isAttached } = await startTurn(request, false);
  const events = await services.turnFollowers.follow(
    caller.workspaceId,
    runId,
    continuesMessage ? 'turn' : 'message',
    signal,
  );
  if (!events) throw new Problem('NOT_FOUND', 'The task was deleted during the turn');
  const headers = isAttached ? ATTACHED_HEADERS : TURN_STREAM_HEADERS;
  return new EventStream(events, headers, whileAllowed(services, request.params));
};

/** While the task exists, and while callers with only agents:use have a grant. */
function whileAllowed({ database }: Pick<Services, 'database'>, params: { agentId: string; taskId: string }) {
  return (caller: Caller) => mayFollowTask(database, caller, params);
}

/** Follows the running turn from its message's beginning, or sends the rest after the event that the client names. */
export const resumeMessageStream: Operation<'resumeMessageStream'> = async (request) => {
  const { caller, params, headers, services, signal } = request;
  const running = await readRunning(services.database, caller, params);
  if (!running) throw await taskNotFound(request);
  const cursor = cursorOf(headers['last-event-id']);
  const missed = cursor && running.ended && cursor.message === markOf(running.ended.messageId) ? running.ended : null;
  const runId = running.runId ?? missed?.runId;
  const events =
    runId === undefined
      ? undefined
      : await services.turnFollowers.follow(caller.workspaceId, runId, cursor ?? 'message', signal);
  return events
    ? new EventStream(events, TURN_STREAM_HEADERS, whileAllowed(services, params))
    : new Answer(undefined, { status: 204 });
};

/** The streamed part stays. Ends a turn that waits on behalf of a step; in a conversation the answer still counts. */
export const stopMessageStream: Operation<'stopMessageStream'> = async (request) => {
  const { caller, params, body, services } = request;
  const { database, feed, turns } = services;
  const { workspaceId } = caller;
  const running = await readRunning(database, caller, params);
  if (!running) throw await taskNotFound(request);
  const stopping = await requestStop(database, workspaceId, running.id, body?.activeStreamId);
  if (!stopping) {
    const asking = await askingTurnOf(database, workspaceId, running.id, body?.activeStreamId);
    if (asking === undefined) return { stopped: false };
    await stopTurn(services, { workspaceId, runId: asking });
    services.stepWakes.approvalEnded(asking);
    return { stopped: true };
  }
  feed.publish(changeOf(stopping.runId, stopping));
  await turns.stop({ workspaceId, runId: stopping.runId });
  return { stopped: true };
};
