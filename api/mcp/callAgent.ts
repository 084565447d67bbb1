import { v7 } from 'uuid';
import { isOpen, type RunStatus } from '../../domain/agent/runStatus.ts';
import { errorTextOf } from '../../domain/agent/turnEnd.ts';
import { derivedId } from '../../domain/derivedId.ts';
import type { JsonObject } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { readAnswer, type TurnAnswer } from '../../prisma/store/turn/readTurnOf.ts';
import { awaitChange } from '../executions/awaitChange.ts';
import { callKey } from './callKey.ts';
import { resultOf, type ToolCall, type ToolResult } from './toolCall.ts';

/** Asks the agent in a new task. The turn's id continues a call that takes long. */
export async function callAgent(call: ToolCall, agentId: string): Promise<ToolResult> {
  const { services, session, id, input } = call;
  const { message } = input;
  if (typeof message !== 'string' || message === '' || Object.keys(input).length > 1) {
    const errors = [{ path: 'message', message: 'expected text, and no other argument' }];
    throw new Problem('VALIDATION_FAILED', 'message: expected text, and no other argument', { errors });
  }
  const runId = callKey(services, session, id) ?? v7();
  const body: JsonObject = { message: { role: 'user', parts: [{ type: 'text', text: message }] } };
  const config = { ...services.config, TURN_WAIT_MS: services.config.MCP_INLINE_MS };
  try {
    await call.operate('sendMessage', {
      ...{ params: { agentId, taskId: taskOf(runId) }, body, resourceId: runId },
      services: { ...services, config },
    });
  } catch (error) {
    // The turn itself has the reason of its end.
    if (!(error instanceof Problem) || error.code !== 'TURN_FAILED') throw error;
  }
  return turnResult(call, runId);
}

export function taskOf(runId: string): string {
  return derivedId(runId, 'task');
}

/** Waits for the turn's end, at most MCP_INLINE_MS. */
export async function awaitTurn(call: ToolCall, runId: string): Promise<ToolResult> {
  const { services, caller, signal } = call;
  const isEnd = ({ status }: { status: string }) => status !== 'RUNNING' && status !== 'PENDING';
  const ended = awaitChange(services.feed, runId, isEnd, services.config.MCP_INLINE_MS, signal, 'following');
  try {
    await ended.begun();
    const now = await readAnswer(services.database, caller.workspaceId, runId);
    if (now && isOpen(now.status)) await ended.change;
  } finally {
    ended.release();
  }
  return turnResult(call, runId);
}

async function turnResult({ services, caller }: ToolCall, runId: string): Promise<ToolResult> {
  const answer = await readAnswer(services.database, caller.workspaceId, runId);
  if (!answer) throw notFound(EXECUTION);
  const { status, code, taskId } = answer;
  const about = { executionId: runId, status: status === 'QUEUED' ? 'RUNNING' : status, taskId };
  if (isFailed(status))
    return resultOf({ ...about, error: { code: code ?? status, message: errorTextOf(code) } }, true);
  return resultOf(status === 'COMPLETED' ? { ...about, output: textOf(answer) } : about);
}

function isFailed(status: RunStatus): boolean {
  return status === 'FAILED' || status === 'STOPPED';
}

function textOf({ message }: TurnAnswer): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
