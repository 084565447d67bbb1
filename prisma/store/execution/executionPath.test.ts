import { expect, test } from 'vitest';
import { executionPath, pendingInput } from './executionPath.ts';

const ROW = {
  id: 'a',
  nodeId: 'n',
  label: 'N',
  appId: null,
  actionId: null,
  status: 'RUNNING',
  attempt: 1,
  startedAt: '2026-11-21T10:00:00.000Z',
  stoppedAt: null,
  input: null,
  output: null,
  error: null,
  iteration: '',
};

test('a step has its duration once it has stopped, its error when there is one, and its iterations', () => {
  const failed = {
    ...ROW,
    stoppedAt: '2026-11-21T10:00:01.250Z',
    error: { code: 'X', message: 'm', attempt: 2 },
    iteration: 'outer:3/in-ner:0',
  };
  expect(executionPath([ROW, failed])).toEqual([
    { ...without(ROW), durationMs: null, iteration: [] },
    {
      ...failed,
      durationMs: 1250,
      iteration: [
        { nodeId: 'outer', index: 3 },
        { nodeId: 'in-ner', index: 0 },
      ],
    },
  ]);
});

test('a pending input leaves out what there is not', () => {
  const row = {
    nodeId: 'n',
    stepId: 's',
    label: 'N',
    title: null,
    fields: [],
    instructions: null,
    requestedAt: 't',
    expiresAt: null,
    iteration: 'loop:1',
  };
  expect(pendingInput([row])).toEqual([
    { nodeId: 'n', stepId: 's', label: 'N', fields: [], requestedAt: 't', iteration: [{ nodeId: 'loop', index: 1 }] },
  ]);
});

function without({ error: _, ...row }: typeof ROW) {
  return row;
}
