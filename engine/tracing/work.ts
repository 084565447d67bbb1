import { AsyncLocalStorage } from 'node:async_hooks';
import type { Trace } from '../../domain/trace/trace.ts';

/** For whom a process works: a request, or an activity of an execution or a turn. Log lines name it. */
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

/** Undefined outside of requests and activities. */
export function workNow(): Work | undefined {
  return works.getStore();
}

/** The span that calls and begins everything now. */
export function inSpan<T>(spanId: string, act: () => T): T {
  const work = workNow();
  return work?.trace ? works.run({ ...work, trace: { ...work.trace, spanId } }, act) : act();
}

/** Work for many: whoever asked for it first is not whose it is. */
export function outsideWork<T>(act: () => T): T {
  return works.exit(act);
}

/** The parent of everything that begins now. */
export function traceHere(): Trace | undefined {
  return workNow()?.trace;
}

/** The fields of a log line that has these already. A line about another execution or turn has nothing of this work. */
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
