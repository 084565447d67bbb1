import { ROOT_CONTEXT, SpanKind, trace as traceApi } from '@opentelemetry/api';
import { RandomIdGenerator, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace-base';
import { LRUCache } from 'lru-cache';
import { executionSpan, turnSpan } from '../../domain/trace/spanIds.ts';
import { ownTraceId, SAMPLED, type Trace, traceOfText } from '../../domain/trace/trace.ts';
import { inWork, workNow } from './work.ts';

/** Executions and turns whose trace is cached for the log, before their row is read. */
const KNOWN = 10_000;

/** Decides the trace of requests, executions and turns. exportTraces.ts decides whether spans are sent. */
export class Tracing {
  readonly #sampler: Sampler;
  readonly #ids = new RandomIdGenerator();
  readonly #known = new LRUCache<string, Trace>({ max: KNOWN });

  constructor(sampler: Sampler) {
    this.#sampler = sampler;
  }

  ofRequest(caller: Trace | undefined): Trace {
    const traceId = caller?.traceId ?? this.#ids.generateTraceId();
    const { state } = caller ?? {};
    const flags = this.#flags(traceId, caller);
    return { traceId, spanId: this.#ids.generateSpanId(), flags, ...(state === undefined ? {} : { state }) };
  }

  /** `stored`: the text of the row. */
  ofExecution(executionId: string, stored: string | null | undefined): Trace {
    return { ...this.#beginning(executionId, stored), spanId: executionSpan(executionId) };
  }

  ofTurn(runId: string, stored: string | null | undefined): Trace {
    return { ...this.#beginning(runId, stored), spanId: turnSpan(runId) };
  }

  /** Returns the parent of an execution or a turn; its `spanId` is empty if there is none. */
  #beginning(id: string, stored: string | null | undefined): Trace {
    if (stored) return traceOfText(stored);
    const traceId = ownTraceId(id);
    return { traceId, spanId: '', flags: this.#flags(traceId, undefined) };
  }

  /** Runs an activity. Its trace is known once it has read its row, or has run here before. */
  inActivity<T>(call: { executionId?: string; runId?: string }, act: () => T): T {
    const { executionId, runId: turnId } = call;
    return inWork({ executionId, turnId, trace: this.#known.get(executionId ?? turnId ?? '') }, act);
  }

  noteExecution(executionId: string, stored: string | null | undefined): void {
    this.#note(executionId, this.ofExecution(executionId, stored));
  }

  noteTurn(runId: string, stored: string | null | undefined): void {
    this.#note(runId, this.ofTurn(runId, stored));
  }

  #note(id: string, trace: Trace): void {
    this.#known.set(id, trace);
    const work = workNow();
    if (work) work.trace = trace;
  }

  #flags(traceId: string, parent: Trace | undefined): number {
    const context = parent
      ? traceApi.setSpanContext(ROOT_CONTEXT, {
          ...{ traceId, spanId: parent.spanId, traceFlags: parent.flags, isRemote: true },
        })
      : ROOT_CONTEXT;
    const { decision } = this.#sampler.shouldSample(context, traceId, '', SpanKind.INTERNAL, {}, []);
    return decision === SamplingDecision.RECORD_AND_SAMPLED ? SAMPLED : 0;
  }
}
