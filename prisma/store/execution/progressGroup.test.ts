import { expect, test } from '@jest/globals';
import type { StepRecord } from '../../../domain/execution/stepRecord.ts';
import { groupSize, joined, mayShare } from './progressGroup.ts';
import type { ProgressWrite } from './progressWrite.ts';

function step(nodeId: string, iteration: string, output = ''): StepRecord {
  return { id: 'an id', nodeId, iteration, label: nodeId, type: 'action', status: 'COMPLETED', attempt: 1, output };
}
const ended = (index: number) => ({ loopKey: 'loop', index, status: 'COMPLETED' as const, bytes: 2, output: index });
const iteration = (index: number): ProgressWrite => ({
  steps: [step('a', `loop:${index}`)],
  iterations: [ended(index)],
});
const PLENTY = { writes: 100, bytes: 1_000_000 };

test.each<[string, ProgressWrite, boolean]>([
  ['a step of an iteration', { steps: [step('a', 'loop:0')] }, true],
  ['a step with the end of its iteration', iteration(0), true],
  ['what a region writes of an iteration', { ...iteration(0), iteration: 'loop:0', inputsApplied: [] }, true],
  ['a step at the top', { steps: [step('a', '')] }, false],
  ['a step at the top beside one of an iteration', { steps: [step('a', 'loop:0'), step('b', '')] }, false],
  ['nothing', { steps: [] }, false],
  ['what closes open steps', { ...iteration(0), cancelled: ['loop:0/'] }, false],
  ['an answer that is applied', { ...iteration(0), inputsApplied: ['ask'] }, false],
  ['an answer to a webhook', { ...iteration(0), response: { status: 200, headers: {}, body: null } }, false],
  ['the end of the execution', { ...iteration(0), end: { status: 'COMPLETED' } }, false],
])('whether it shares a statement: %s', (_name, write, expected) => {
  expect(mayShare(write)).toBe(expected);
});

test('a group has at most so many writes', () => {
  const writes = Array.from({ length: 7 }, (_, index) => iteration(index));
  expect(groupSize(writes, PLENTY)).toBe(7);
  expect(groupSize(writes, { ...PLENTY, writes: 3 })).toBe(3);
  expect(groupSize([], PLENTY)).toBe(0);
});

test('a group has at most so many bytes, and at least one write', () => {
  const large = { steps: [step('a', 'loop:0', 'x'.repeat(5_000))] };
  const limits = { ...PLENTY, bytes: 2_000 };
  expect(groupSize([large, iteration(1)], limits)).toBe(1);
  expect(groupSize([iteration(1), iteration(2), large], limits)).toBe(2);
});

test('a step that is written twice goes in two groups, in its order', () => {
  const running: ProgressWrite = { steps: [{ ...step('a', 'loop:1'), status: 'RUNNING' }] };
  expect(groupSize([iteration(0), running, iteration(1), iteration(2)], PLENTY)).toBe(2);
  expect(groupSize([running, iteration(1)], PLENTY)).toBe(1);
});

test('joined writes contain each write, in order', () => {
  const other: ProgressWrite = { steps: [step('b', 'loop:1')] };
  expect(joined([iteration(2), other, iteration(0)])).toEqual({
    steps: [step('a', 'loop:2'), step('b', 'loop:1'), step('a', 'loop:0')],
    iterations: [ended(2), ended(0)],
  });
  expect(joined([other])).toEqual(other);
});
