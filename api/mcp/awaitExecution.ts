import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '../../domain/execution/status.ts';
import { isJsonObject } from '../../domain/json.ts';
import { readSnapshot, type Snapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { readLimitsOf } from '../executions/readLimitsOf.ts';
import { executionResult, questionsOf } from './executionResult.ts';
import { QuestionAsker } from './questionAsker.ts';
import type { ToolCall, ToolResult } from './toolCall.ts';

/** Between two reads of an execution that changes all the time. */
const PAUSE_MS = 250;

/** Waits for the end, at most MCP_INLINE_MS, or for a question that the client cannot show to a person. */
export async function awaitExecution(call: ToolCall, executionId: string): Promise<ToolResult> {
  const { services } = call;
  const ends = [call.signal, services.mcpStreams.stopping];
  const inlineMs = services.config.MCP_INLINE_MS;
  let woken = new AbortController();
  let isPressing = false;
  const wake = (atOnce: boolean) => {
    isPressing ||= atOnce;
    woken.abort();
  };
  const gone = () => wake(true);
  const following = services.feed.follow(executionId, ({ status }) => wake(isTerminal(status)));
  const asker = new QuestionAsker(call, executionId, gone);
  // AbortSignal.any would leave a trace at `stopping` for each call.
  for (const end of ends) end.addEventListener('abort', gone, { once: true });
  try {
    await following.begun();
    let until = performance.now() + inlineMs;
    for (;;) {
      woken = new AbortController();
      isPressing = false;
      asker.takeReply();
      const snapshot = await readNow(call, executionId);
      await call.progress(progressOf(snapshot));
      if (isTerminal(snapshot.status)) return executionResult(snapshot);
      const questions = snapshot.status === 'NEEDS_INPUT' ? questionsOf(snapshot) : [];
      const wasOpen = asker.isOpen;
      const asked = await asker.ask(questions);
      if (asked !== undefined) until = asked;
      else if (questions.length > 0) return executionResult(snapshot, asker.note);
      // The time of a person does not count as time of the execution.
      else if (wasOpen) until = performance.now() + inlineMs;
      const left = until - performance.now();
      if (left <= 0 || ends.some(({ aborted }) => aborted)) return executionResult(snapshot);
      await sleep(left, undefined, { signal: woken.signal }).catch(() => undefined);
      if (!isPressing) await sleep(Math.min(PAUSE_MS, left));
    }
  } finally {
    for (const end of ends) end.removeEventListener('abort', gone);
    following.stop();
    asker.stop();
  }
}

async function readNow({ services, caller }: ToolCall, executionId: string): Promise<Snapshot> {
  const limits = readLimitsOf(services.config);
  const snapshot = await readSnapshot(services.database, caller.workspaceId, executionId, limits);
  if (!snapshot) throw notFound(EXECUTION);
  return snapshot;
}

function progressOf({ status, executionPath }: Snapshot): string {
  const path = Array.isArray(executionPath) ? executionPath.filter(isJsonObject) : [];
  const current = path.findLast((step) => step.status !== 'COMPLETED') ?? path.at(-1);
  return current === undefined ? status : `${status}: ${current.label ?? current.nodeId} is ${current.status}`;
}
