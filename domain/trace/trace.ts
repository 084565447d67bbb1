/** A position in a trace (W3C Trace Context): the span is the parent of everything that begins there. */
export interface Trace {
  traceId: string;
  spanId: string;
  /** Bit 0: sampled. */
  flags: number;
  /** The `tracestate` of the caller who began the trace. */
  state?: string;
}

export const SAMPLED = 1;

export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}

/** Writes the form that rows of executions and turns store: `traceparent`, then a space and `tracestate`. */
export function traceText(trace: Trace): string {
  return trace.state === undefined ? traceparentOf(trace) : `${traceparentOf(trace)} ${trace.state}`;
}

export function traceOfText(text: string): Trace {
  const [parent = '', ...state] = text.split(' ');
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-');
  const trace = { traceId, spanId, flags: Number.parseInt(flags, 16) };
  return state.length === 0 ? trace : { ...trace, state: state.join(' ') };
}

export function ownTraceId(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}
