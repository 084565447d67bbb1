import protobuf from 'protobufjs';
import { loopback, type SeenCall } from './loopback.ts';

/** opentelemetry/proto/collector/trace/v1/trace_service.proto and its dependencies, as far as tests read them. */
const TRACE_SERVICE = `
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  string trace_state = 3;
  bytes parent_span_id = 4;
  string name = 5;
  int32 kind = 6;
  fixed64 start_time_unix_nano = 7;
  fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9;
  repeated Link links = 13;
  Status status = 15;
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }`;

const REQUEST = protobuf.parse(TRACE_SERVICE).root.lookupType('ExportTraceServiceRequest');

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty if there is none. */
  parentSpanId: string;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  error?: string;
  links: string[];
  service: string;
}

export interface OtlpReceiver {
  url: string;
  /** All received spans, including duplicates. */
  spans: ReceivedSpan[];
  taken: readonly SeenCall[];
  /** Returns all received bytes, for searching texts. */
  raw(): string;
  /** Responds with 503 until it is called with false. */
  refuse(refuses: boolean): void;
  refusals(): number;
}

// biome-ignore lint/suspicious/noExplicitAny: as the protocol has it
type Loose = any;

/** Starts a collector of traces on 127.0.0.1 that accepts OTLP over HTTP as protobuf. It ends with the file. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const taken: SeenCall[] = [];
  let refuses = false;
  let refusals = 0;
  const { url } = await loopback((call, response) => {
    if (refuses || call.url !== '/v1/traces') {
      refusals += 1;
      response.writeHead(refuses ? 503 : 404).end();
      return;
    }
    taken.push(call);
    spans.push(...spansOf(call.bytes));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }, 'file');
  return {
    ...{ url, spans, taken },
    raw: () => Buffer.concat(taken.map(({ bytes }) => bytes)).toString('latin1'),
    refuse(now) {
      refuses = now;
    },
    refusals: () => refusals,
  };
}

function spansOf(body: Buffer): ReceivedSpan[] {
  const decoded: Loose = REQUEST.toObject(REQUEST.decode(body), { longs: String, bytes: Buffer, defaults: true });
  return decoded.resourceSpans.flatMap(({ resource, scopeSpans }: Loose) =>
    scopeSpans.flatMap(({ spans }: Loose) =>
      spans.map((span: Loose) => ({
        ...{ traceId: hex(span.traceId), spanId: hex(span.spanId), parentSpanId: hex(span.parentSpanId) },
        ...{ name: span.name, startMs: millis(span.startTimeUnixNano), endMs: millis(span.endTimeUnixNano) },
        attributes: attributesOf(span.attributes),
        ...(span.status?.code === 2 ? { error: span.status.message } : {}),
        links: span.links.map(({ traceId }: Loose) => hex(traceId)),
        service: String(attributesOf(resource.attributes)['service.name']),
      })),
    ),
  );
}

const hex = (bytes: Buffer) => Buffer.from(bytes).toString('hex');
const millis = (nanos: string) => Number(BigInt(nanos) / 1_000_000n);

function attributesOf(list: Loose[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue || (value.intValue !== '0' ? Number(value.intValue) : value.doubleValue || value.boolValue),
    ]),
  );
}
