import type { Trace } from './trace.ts';

/** A span as it is sent: names, ids, codes, times, and the host of a request; no other input, no output, message, path or query. Times are epoch milliseconds. */
export interface SpanRecord {
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** With the span's own id. */
  trace: Trace;
  /** Absent: it is the first of its trace. */
  parentSpanId?: string;
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number | boolean>>;
  /** The code of a failure. */
  errorCode?: string;
  /** Other traces that it continues. */
  links?: readonly Trace[];
}

type Attribute = string | number | boolean | null | undefined;

/** Without those that are not known. */
export function known(attributes: Record<string, Attribute>): SpanRecord['attributes'] {
  const pairs = Object.entries(attributes).filter(
    (pair): pair is [string, string | number | boolean] => pair[1] != null,
  );
  return Object.fromEntries(pairs);
}

export function failedWith(code: string | null | undefined): { errorCode?: string } {
  return code ? { errorCode: code } : {};
}
