import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ToolKind } from '../../domain/agent/tool.ts';
import type { RemoteToolCall } from '../../domain/agent/turnCalls.ts';
import { toolCallSpan } from '../../domain/trace/spanIds.ts';
import { inSpan } from '../../engine/tracing/work.ts';
import { readCall } from '../../prisma/store/turn/toolCalls.ts';
import { whileDatabaseAway } from '../execution/whileDatabaseAway.ts';
import type { ActivityServices } from '../services.ts';
import { withHeartbeat } from '../withHeartbeat.ts';
import { settle } from './settleToolCall.ts';
import { changedSinceApproval } from './toolDigest.ts';
import { callKnowledge } from './tools/knowledge.ts';
import { callMcp } from './tools/mcp.ts';
import type { Work } from './tools/work.ts';

/** Half of the throttle (worker/tuning.ts), which alone determines how soon a cancellation arrives. */
const HEARTBEAT_MS = 200;

const WORK: Partial<Readonly<Record<ToolKind, Work>>> = { mcp: callMcp, knowledge: callKnowledge };

/** Stores the result itself, so that the history contains nothing of it. */
export function callTool(services: ActivityServices, call: RemoteToolCall): Promise<void> {
  const { cancellationSignal: signal, info } = Context.current();
  const { database, log } = services;
  const { workspaceId, runId, toolCallId, tries, kind } = call;
  const work = WORK[kind];
  if (!work) throw ApplicationFailure.nonRetryable(`A call of the kind ${kind} is no activity`, 'NO_ACTIVITY');
  return withHeartbeat(HEARTBEAT_MS, async () => {
    const stored = await whileDatabaseAway(signal, log, () => readCall(database, workspaceId, runId, toolCallId));
    if (stored?.status !== 'PENDING' || stored.isOver) return;
    services.tracing.noteTurn(runId, stored.trace);
    // The engine may begin it long after it was accepted, e.g. if no worker was running.
    const changed = await whileDatabaseAway(signal, log, () => changedSinceApproval(services, call, stored));
    if (changed !== undefined) {
      await whileDatabaseAway(signal, log, () =>
        settle(services, { ...stored, ...call }, { status: 'FAILED', error: changed }),
      );
      return;
    }
    const { isRetryable, ...result } = await unlessStopped(signal, () =>
      inSpan(toolCallSpan(runId, toolCallId), () => work(services, call, stored, signal)),
    );
    if (isRetryable && info.attempt < tries) {
      throw ApplicationFailure.retryable('The tool did not answer; the log of the worker says more', 'TOOL_FAILED');
    }
    await whileDatabaseAway(signal, log, () => settle(services, { ...stored, ...call }, result));
  });
}

async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? new CancelledFailure('The call was stopped') : error;
  }
}
