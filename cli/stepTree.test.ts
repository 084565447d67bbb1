import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { ExecutionEvent } from '#client';
import { Output } from './output.ts';
import { StepTree } from './stepTree.ts';

type Drawn = Extract<ExecutionEvent, { executionPath: unknown }>;

const ID = '01a21fb4-d96a-7718-98e4-513887bdc995';
const step = (label: string, more: object = {}) => ({
  ...{ label, nodeId: label, status: 'COMPLETED', attempt: 1, durationMs: 5, iteration: [], error: null, ...more },
});
const snapshot = (steps: object[], pendingInput: object[] = []) =>
  ({ type: 'execution.updated', executionId: ID, executionPath: steps, pendingInput }) as unknown as Drawn;

function drawn(...events: Drawn[]): string[] {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const tree = new StepTree(
    new Output('people', { isQuiet: false, hasColor: false }, { stdout, stderr: new PassThrough() }),
  );
  return events.map((event) => {
    tree.draw(event);
    return String(stdout.read());
  });
}

test('shows a question with the whole command that answers it, and draws over its rows', () => {
  const asking = snapshot(
    [step('ask', { status: 'NEEDS_INPUT', durationMs: null })],
    [{ nodeId: 'ask', title: 'Pay?' }],
  );
  expect(drawn(asking, snapshot([step('ask')]))).toEqual([
    `? needs input  ask\n? Pay?\n  perdure questions answer ${ID} --node ask\n`,
    '\u001b[4A\u001b[0J✓ completed  ask  5 ms\n',
  ]);
});

test('keeps wide letters and long errors on one row', () => {
  const error = { code: 'HTTP_FAILED', message: 'x'.repeat(100) };
  const [picture] = drawn(snapshot([step('日本語'.repeat(12)), step('call', { status: 'FAILED', error })]));
  expect(picture).toBe(
    `✓ completed  ${'日本語'.repeat(7)}日本…\n` + `✕ failed  call  5 ms  HTTP_FAILED: ${'x'.repeat(24)}…\n`,
  );
});
