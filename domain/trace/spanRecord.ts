import type { Trace } from './trace.ts';

/**
 * Names, ids, codes, times (epoch milliseconds), and the host of a request; no other input, no output, message, path or
 * query.
 */
export interface SpanRecord {
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** Includes the span's own id. */
  trace: Trace;
  /** Absent for the root of a trace. */
  parentSpanId?: string;
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number | boolean>>;
  errorCode?: string;
  /** Traces that this one continues. */
  links?: readonly Trace[];
}

type Attribute = string | number | boolean | null | undefined;

export function known(attributes: Record<string, Attribute>): SpanRecord['attributes'] {
  const pairs = Object.entries(attributes).filter(
    (pair): pair is [string, string | number | boolean] => pair[1] != null,
  );
  return Object.fromEntries(pairs);
}

export function failedWith(code: string | null | undefined): { errorCode?: string } {
  return code ? { errorCode: code } : {};
}
