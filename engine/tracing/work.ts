import { AsyncLocalStorage } from 'node:async_hooks';
import type { Trace } from '../../domain/trace/trace.ts';

/** The request or activity that a process works for. Log lines name it. */
export interface Work {
  executionId?: string | undefined;
  turnId?: string | undefined;
  /** Undefined until the activity has read its row. */
  trace?: Trace | undefined;
}

const works = new AsyncLocalStorage<Work>();

export function inWork<T>(work: Work, act: () => T): T {
  return works.run(work, act);
}

/** Returns undefined outside of requests and activities. */
export function workNow(): Work | undefined {
  return works.getStore();
}

export function inSpan<T>(spanId: string, act: () => T): T {
  const work = workNow();
  return work?.trace ? works.run({ ...work, trace: { ...work.trace, spanId } }, act) : act();
}

/** Runs shared work, which does not belong to its first requester. */
export function outsideWork<T>(act: () => T): T {
  return works.exit(act);
}

export function traceHere(): Trace | undefined {
  return workNow()?.trace;
}

/** Returns the fields to add to a log line; none for a line about another execution or turn. */
export function workFields({ executionId, turnId, runId }: Record<string, unknown>): Record<string, string> {
  const work = workNow();
  if (!work) return {};
  const differs = (own: unknown, here: string | undefined) => own !== undefined && here !== undefined && own !== here;
  if (differs(executionId, work.executionId) || differs(turnId ?? runId, work.turnId)) return {};
  return {
    ...(work.trace ? { traceId: work.trace.traceId } : {}),
    ...(work.executionId === undefined ? {} : { executionId: work.executionId }),
    ...(work.turnId === undefined ? {} : { turnId: work.turnId }),
  };
}
