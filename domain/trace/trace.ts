/** A place in a trace, as W3C Trace Context writes it: what begins there has this span as its parent. */
export interface Trace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Bit 0: it is sampled. */
  flags: number;
  /** The `tracestate` of whoever began the trace. */
  state?: string;
}

export const SAMPLED = 1;

/** The value of the header `traceparent`. */
export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}

/** As rows of executions and turns hold it: `traceparent`, and `tracestate` behind a blank. */
export function traceText(trace: Trace): string {
  return trace.state === undefined ? traceparentOf(trace) : `${traceparentOf(trace)} ${trace.state}`;
}

/** The reverse of `traceText`. */
export function traceOfText(text: string): Trace {
  const [parent = '', ...state] = text.split(' ');
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-');
  const trace = { traceId, spanId, flags: Number.parseInt(flags, 16) };
  return state.length === 0 ? trace : { ...trace, state: state.join(' ') };
}

/** The trace of what nobody began within another one: of an execution or a turn, its id. */
export function ownTraceId(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}
