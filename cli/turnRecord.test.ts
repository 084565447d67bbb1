import { expect, test } from '@jest/globals';
import { TurnRecord } from './turnRecord.ts';

const CALLED = [
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: { order: 1 } },
  { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
];

function recorded(chunks: object[]): TurnRecord {
  const record = new TurnRecord();
  for (const chunk of chunks) record.take(chunk as Parameters<TurnRecord['take']>[0]);
  return record;
}

test('an approval waits until its call has an outcome', () => {
  expect(recorded(CALLED).approvals).toEqual([{ approvalId: 'a1', toolName: 'refund', input: { order: 1 } }]);
  for (const type of ['tool-output-available', 'tool-output-error', 'tool-output-denied']) {
    expect(recorded([...CALLED, { type, toolCallId: 'c1' }]).approvals).toEqual([]);
  }
});

test('a restarted message lists no approval twice, and has its text once', () => {
  const first = [{ type: 'start' }, ...CALLED, { type: 'text-delta', delta: 'Half' }];
  expect(recorded([...first, ...first]).approvals).toHaveLength(1);
  const decided = [{ type: 'start' }, ...CALLED, { type: 'tool-output-available', toolCallId: 'c1', output: 1 }];
  const record = recorded([...first, ...decided, { type: 'text-delta', delta: 'Whole' }]);
  expect([record.text, record.approvals]).toEqual(['Whole', []]);
});
