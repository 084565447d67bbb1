import { randomBytes } from 'node:crypto';

export function traceparent(flags = '01'): { header: string; traceId: string; spanId: string } {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { header: `00-${traceId}-${spanId}-${flags}`, traceId, spanId };
}
