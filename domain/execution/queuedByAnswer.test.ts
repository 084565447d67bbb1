import { describe, expect, it } from '@jest/globals';
import type { Plan, PlanNode } from '../workflow/plan.ts';
import { queuedByAnswer } from './queuedByAnswer.ts';
import type { EarlierStep } from './resume.ts';
import type { StepStatus } from './status.ts';

const remote = (id: string): PlanNode => ({ id, type: 'action', label: id, placement: 'remote' });
const inline = (id: string, type: PlanNode['type'] = 'action'): PlanNode => ({
  ...remote(id),
  type,
  placement: 'inline',
});
const ask = inline('ask', 'input');

function plan(nodes: PlanNode[], ...edges: [string, string, string?][]): Plan {
  return { nodes, edges: edges.map(([from, to, handle]) => ({ from, to, ...(handle ? { handle } : {}) })) };
}

function nextOf(of: Plan, steps: Record<string, StepStatus>, handles: Record<string, string> = {}): string[] {
  const rows = Object.entries(steps).map(([nodeId, status]): EarlierStep => {
    return { nodeId, status, handle: handles[nodeId] ?? null };
  });
  return queuedByAnswer(of, 'ask', rows);
}

describe('queuedByAnswer', () => {
  it('names the remote nodes behind the question, without inline nodes and nodes that run anyway', () => {
    const of = plan([ask, remote('next'), inline('set'), remote('other')], ['ask', 'next'], ['ask', 'set']);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', other: 'RUNNING' })).toEqual(['next']);
    expect(nextOf(of, { ask: 'NEEDS_INPUT' })).toEqual(['next']);
  });

  it('a join waits for its other branch', () => {
    const of = plan([ask, remote('other'), remote('join')], ['ask', 'join'], ['other', 'join']);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', other: 'RUNNING' })).toEqual([]);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', other: 'RETRYING' })).toEqual([]);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', other: 'COMPLETED' })).toEqual(['join']);
  });

  it('a join behind the nodes that the answer skips', () => {
    const of = plan(
      [ask, inline('late'), inline('if', 'condition'), inline('no'), remote('join')],
      ['ask', 'late', 'expired'],
      ['late', 'join'],
      ['if', 'join', 'true'],
      ['if', 'no', 'false'],
    );
    expect(nextOf(of, { ask: 'NEEDS_INPUT', if: 'COMPLETED' }, { if: 'true' })).toEqual(['join']);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', if: 'COMPLETED', no: 'COMPLETED' }, { if: 'false' })).toEqual([]);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', if: 'QUEUED' })).toEqual([]);
  });

  it('parallel failures: one that ends the execution is not visible here, a caught one counts', () => {
    const of = plan([ask, inline('bad'), remote('next')], ['ask', 'next']);
    expect(nextOf(of, { ask: 'NEEDS_INPUT', bad: 'FAILED' })).toEqual(['next']);
    const caught = plan(
      [ask, { ...remote('bad'), onError: 'continue' }, remote('join')],
      ['ask', 'join'],
      ['bad', 'join'],
    );
    expect(nextOf(caught, { ask: 'NEEDS_INPUT', bad: 'FAILED' })).toEqual(['join']);
  });
});
