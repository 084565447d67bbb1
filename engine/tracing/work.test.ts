import { expect, test } from '@jest/globals';
import { traceOfText, traceText } from '../../domain/trace/trace.ts';
import { samplerOf } from './sampler.ts';
import { receivedTrace } from './traceHeaders.ts';
import { Tracing } from './tracing.ts';
import { inSpan, inWork, traceHere, workFields } from './work.ts';

const PARENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 };

test('a line about another execution has nothing of the work in which it is written', () => {
  inWork({ executionId: 'one', trace: PARENT }, () => {
    expect(workFields({})).toEqual({ traceId: PARENT.traceId, executionId: 'one' });
    expect(workFields({ executionId: 'one' })).toEqual({ traceId: PARENT.traceId, executionId: 'one' });
    expect(workFields({ executionId: 'other' })).toEqual({});
  });
  inWork({ turnId: 'one', trace: PARENT }, () => expect(workFields({ runId: 'other' })).toEqual({}));
  expect(workFields({})).toEqual({});
});

test('outside of a trace a span is no trace', () => {
  inSpan('c'.repeat(16), () => expect(traceHere()).toBeUndefined());
  inWork({ trace: PARENT }, () =>
    inSpan('c'.repeat(16), () => expect(traceHere()).toEqual({ ...PARENT, spanId: 'c'.repeat(16) })),
  );
});

test('the text of a row holds the state too, and the longest fits it', () => {
  const header = { traceparent: traceText(PARENT), tracestate: `a=${'x'.repeat(200)},b=${'y'.repeat(200)}` };
  const received = receivedTrace(header);
  expect(received).toMatchObject({ ...PARENT, state: header.tracestate });
  if (!received) throw new Error('it was well-formed');
  expect(traceOfText(traceText(received))).toEqual(received);
  const longest = receivedTrace({
    ...header,
    tracestate: Array.from({ length: 2 }, (_, n) => `k${n}=${'x'.repeat(252)}`).join(','),
  });
  expect(traceText(longest ?? PARENT).length).toBeLessThanOrEqual(600);
  expect(receivedTrace({ ...header, tracestate: 'x'.repeat(513) })).toEqual(PARENT);
});

test.each([
  ['parentbased_always_on', 1, 0],
  ['parentbased_always_off', 0, 0],
  ['always_on', 1, 1],
  ['always_off', 0, 0],
  ['traceidratio', 0, 0],
] as const)(
  'the sampler %s decides on a request of its own, and on that of a caller which does not record',
  (name, own, ofCaller) => {
    const tracing = new Tracing(samplerOf(name, 0));
    expect([tracing.ofRequest(undefined).flags, tracing.ofRequest({ ...PARENT, flags: 0 }).flags]).toEqual([
      own,
      ofCaller,
    ]);
  },
);
