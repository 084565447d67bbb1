import { expect, test } from '@jest/globals';
import { requestRecord } from './requestSpan.ts';
import type { SpanRecord } from './spanRecord.ts';

const ATTEMPT: SpanRecord = {
  ...{ name: 'attempt 1', kind: 'internal', startMs: 10, endMs: 20, attributes: {} },
  trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 },
};
const sent = (origin: string | null, httpStatus: number | null = null, code: string | null = null) =>
  requestRecord(ATTEMPT, { method: 'PUT', origin, httpStatus }, code);

test('a request is a child of its attempt, with method, host and status', () => {
  const record = sent('https://shop.example', 503, 'HTTP_STATUS');
  expect(record).toMatchObject({
    name: 'PUT',
    kind: 'client',
    parentSpanId: ATTEMPT.trace.spanId,
    startMs: 10,
    endMs: 20,
  });
  expect(record?.trace.spanId).not.toBe(ATTEMPT.trace.spanId);
  expect(record?.errorCode).toBe('HTTP_STATUS');
  expect(record?.attributes).toEqual({
    'http.request.method': 'PUT',
    'server.address': 'shop.example',
    'server.port': 443,
    'http.response.status_code': 503,
    'error.type': 'HTTP_STATUS',
  });
});

test.each(['https://me:secret@shop.example', 'https://***.example:x', '***', null])(
  'of %s it says no host',
  (origin) => {
    expect(Object.keys(sent(origin)?.attributes ?? {})).toEqual(['http.request.method']);
  },
);

test.each(['INVALID_INPUT', 'CONNECTION_HOST_NOT_ALLOWED', 'HTTP_REFUSED_ADDRESS', 'EXPRESSION_FAILED'])(
  'an attempt that ended with %s sent nothing',
  (code) => expect(sent('http://shop.example', null, code)).toBeUndefined(),
);
