import type { IncomingHttpHeaders } from 'node:http';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import { type Trace, traceparentOf } from '../../domain/trace/trace.ts';
import { traceHere } from './work.ts';

/** A longer state is dropped, as W3C Trace Context allows. */
const MAX_STATE_LENGTH = 512;

/** Returns the caller's place in a trace; undefined if it is missing or invalid by W3C Trace Context. */
export function receivedTrace({ traceparent, tracestate }: IncomingHttpHeaders): Trace | undefined {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (!parent) return undefined;
  const { traceId, spanId, traceFlags } = parent;
  const state = stateOf(tracestate);
  return { traceId, spanId, flags: traceFlags, ...(state === '' ? {} : { state }) };
}

function stateOf(tracestate: string | string[] | undefined): string {
  const text = Array.isArray(tracestate) ? tracestate.join(',') : (tracestate ?? '');
  return text.length > MAX_STATE_LENGTH ? '' : new TraceState(text).serialize();
}

/** Returns the headers for a call that is made now; none outside of a trace. */
export function traceHeaders(): { traceparent?: string; tracestate?: string } {
  const trace = traceHere();
  if (!trace) return {};
  return { traceparent: traceparentOf(trace), ...(trace.state === undefined ? {} : { tracestate: trace.state }) };
}
