import { isOpen, type RunEnd } from '../../domain/agent/runStatus.ts';
import type { TurnRef, TurnStart, WaitingStep } from '../../domain/agent/turnCalls.ts';
import { derivedId } from '../../domain/derivedId.ts';
import type { ExecutionStatus } from '../../domain/execution/status.ts';
import { traceText } from '../../domain/trace/trace.ts';
import { traceHere } from '../../engine/tracing/work.ts';
import { acceptTurn } from '../../prisma/store/turn/acceptTurn.ts';
import { callingAgents } from '../../prisma/store/turn/callingAgents.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { readRunStatus } from '../../prisma/store/turn/runState.ts';
import { awaitStatus } from '../awaitStatus.ts';
import type { ActivityServices } from '../services.ts';
import { inWaitPlace } from '../waitPlace.ts';

export interface ChildTurn {
  workspaceId: string;
  agent: { id: string; name: string };
  /** As clients know it: chosen by the caller, or derived. */
  taskId: string;
  isOwnTask: boolean;
  /** Derived, so that a repeated call refers to the same turn. */
  runId: string;
  text: string;
  name: string;
  parent: { runId: string; taskId: string } | { executionId: string; step: WaitingStep };
}

export type AcceptedChildTurn =
  | { kind: 'accepted'; start: TurnStart }
  | { kind: 'refused'; code: 'NOT_FOUND' | 'AGENT_CYCLE' | 'AGENTS_TOO_DEEP'; message: string };

/**
 * Writes the rows of a turn and its new task. No grant is checked, because the builder gave the agent to the caller.
 */
export async function acceptChildTurn(services: ActivityServices, child: ChildTurn): Promise<AcceptedChildTurn> {
  const { database, config, feed } = services;
  const { workspaceId, agent, taskId, isOwnTask, runId, text, name, parent } = child;
  const line = await callingAgents(database, workspaceId, parent);
  const path = [...line.map((each) => each.name).reverse(), agent.name].join(' → ');
  if (line.some(({ id }) => id === agent.id)) {
    return { kind: 'refused', code: 'AGENT_CYCLE', message: `Agents call each other: ${path}` };
  }
  if (line.length >= config.AGENT_MAX_DEPTH) {
    const message = `Agents call each other at most ${config.AGENT_MAX_DEPTH} deep (AGENT_MAX_DEPTH): ${path}`;
    return { kind: 'refused', code: 'AGENTS_TOO_DEEP', message };
  }
  const above =
    'runId' in parent
      ? { parentRunId: parent.runId, parentTaskId: parent.taskId }
      : { parentExecutionId: parent.executionId, step: parent.step };
  const message = { id: derivedId(runId, 'user message'), parts: [{ type: 'text', text }] };
  const trace = traceHere();
  const accepted = await acceptTurn(
    database,
    workspaceId,
    { agentId: agent.id, taskId, runId },
    {
      ...{ kind: 'message', message, replaces: false, queues: true, granted: false, own: isOwnTask },
      ...{ messageId: derivedId(runId, 'message'), requestId: 'runId' in parent ? parent.runId : parent.executionId },
      ...above,
      ...(trace ? { trace: traceText(trace) } : {}),
    },
  );
  if (accepted.outcome !== 'accepted' || accepted.status === null) {
    return { kind: 'refused', code: 'NOT_FOUND', message: `The agent ${agent.name} has no task ${taskId}` };
  }
  feed.publish(changeOf(runId, { revision: accepted.revision, status: accepted.status }));
  const turn = { workspaceId, runId };
  return { kind: 'accepted', start: { turn, name, ...(accepted.status === 'QUEUED' ? { queued: true } : {}) } };
}

/** A turn that was deleted with its task counts as stopped. */
export function awaitTurn(services: ActivityServices, { workspaceId, runId }: TurnRef): Promise<RunEnd> {
  async function look(): Promise<RunEnd | undefined> {
    const status = (await readRunStatus(services.database, workspaceId, runId)) ?? 'STOPPED';
    return isOpen(status) ? undefined : status;
  }
  async function wait(): Promise<RunEnd> {
    await awaitStatus(services, runId, isEnd);
    const end = await look();
    if (end === undefined) throw new Error(`The turn ${runId} goes on`);
    return end;
  }
  return inWaitPlace(services, workspaceId, { look, wait });
}

function isEnd(status: ExecutionStatus): status is Exclude<ExecutionStatus, 'PENDING' | 'RUNNING'> {
  return status !== 'PENDING' && status !== 'RUNNING';
}
