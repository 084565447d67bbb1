import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ExportResultCode, millisToHrTime, setGlobalErrorHandler, TraceState } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import type { SpanRecord } from '../../domain/trace/spanRecord.ts';
import { SAMPLED, type Trace } from '../../domain/trace/trace.ts';
import { briefAgent } from './briefAgent.ts';

const MAX_SPANS = 512;
/** Time for the last spans when the process ends. */
const FAREWELL_MS = 2_000;
/** Statuses by which a collector refuses spans permanently. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Sends spans by OTLP. Environment: OTEL_EXPORTER_OTLP_… for the target, OTEL_RESOURCE_ATTRIBUTES for each span. */
export class SpanSender {
  readonly #exporter: OTLPTraceExporter;
  readonly #processor: BatchSpanProcessor;
  readonly #resource: Resource;
  readonly #log: Logger;
  #isAway = false;

  /** `longestMs`: per request to the collector. */
  constructor({ serviceName, longestMs, log }: { serviceName: string; longestMs: number; log: Logger }) {
    this.#log = log;
    const exporter = () => new OTLPTraceExporter({ httpAgentOptions: (protocol) => briefAgent(protocol, longestMs) });
    this.#exporter = exporter();
    this.#resource = defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName }))
      .merge(detectResources({ detectors: [envDetector] }));
    // OTEL_BSP_… sets its intervals and limits.
    this.#processor = new BatchSpanProcessor(exporter());
    setGlobalErrorHandler((error) => this.#noteAway(error));
  }

  /** Queues a span. It is lost if the process dies first, or the queue is full. */
  sendLater(record: SpanRecord): void {
    if (isSampled(record.trace)) this.#processor.onEnd(this.#readable(record));
  }

  /** Sends sampled spans now. True if the collector accepted them or never will; false: retry, or `stopped`. */
  async send(records: readonly SpanRecord[], stopped: AbortSignal): Promise<boolean> {
    const sampled = records.filter(({ trace }) => isSampled(trace));
    for (let from = 0; from < sampled.length; from += MAX_SPANS) {
      const spans = sampled.slice(from, from + MAX_SPANS).map((record) => this.#readable(record));
      if (!(await this.#sendOnce(spans, stopped))) return false;
    }
    return true;
  }

  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, FAREWELL_MS);
    });
    await Promise.race([this.#processor.shutdown().catch((error: unknown) => this.#noteAway(error)), late]);
    clearTimeout(timer);
    await Promise.race([this.#exporter.shutdown(), late]);
  }

  async #sendOnce(spans: ReadableSpan[], stopped: AbortSignal): Promise<boolean> {
    if (stopped.aborted) return false;
    const sent = new Promise<Error | 'sent'>((done) =>
      this.#exporter.export(spans, ({ code, error }) =>
        done(code === ExportResultCode.SUCCESS ? 'sent' : (error ?? new Error('no reason was given'))),
      ),
    );
    const left = new Promise<'stopped'>((done) =>
      stopped.addEventListener('abort', () => done('stopped'), { once: true }),
    );
    const result = await Promise.race([sent, left]);
    if (result === 'stopped') return false;
    if (result === 'sent') {
      if (this.#isAway) this.#log.info('the collector of traces takes spans again');
      this.#isAway = false;
      return true;
    }
    const { code } = result as Error & { code?: number };
    if (code !== undefined && REFUSALS.has(code)) {
      this.#log.error({ err: result, spans: spans.length }, 'spans are lost: the collector of traces refuses them');
      return true;
    }
    this.#noteAway(result);
    return false;
  }

  #noteAway(error: unknown): void {
    if (!this.#isAway)
      this.#log.warn({ err: error }, 'the collector of traces is away: spans of executions are sent later');
    this.#isAway = true;
  }

  #readable(record: SpanRecord): ReadableSpan {
    const { name, kind, trace, parentSpanId, startMs, endMs, attributes, errorCode, links = [] } = record;
    return {
      ...{ name, attributes, kind: KINDS[kind], resource: this.#resource, instrumentationScope: { name: 'perdure' } },
      spanContext: () => contextOf(trace),
      ...(parentSpanId === undefined ? {} : { parentSpanContext: contextOf({ ...trace, spanId: parentSpanId }) }),
      ...{
        startTime: millisToHrTime(startMs),
        endTime: millisToHrTime(endMs),
        duration: millisToHrTime(endMs - startMs),
      },
      status:
        errorCode === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: errorCode },
      links: links.map((link) => ({ context: contextOf(link) })),
      ...{ events: [], ended: true, droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    };
  }
}

function isSampled({ flags }: Trace): boolean {
  return (flags & SAMPLED) === SAMPLED;
}

function contextOf({ traceId, spanId, flags, state }: Trace) {
  return {
    ...{ traceId, spanId, traceFlags: flags & TraceFlags.SAMPLED },
    ...(state === undefined ? {} : { traceState: new TraceState(state) }),
  };
}
