import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Plan } from '../workflow/plan.ts';
import type { Outcome } from './outcome.ts';
import { NOTHING_DONE, type Progress } from './progress.ts';
import { node, plan, randomPlans, readyIds, runPlan } from './randomPlans.fixture.ts';
import { ending } from './reducer.ts';
import { type EarlierStep, type Resumption, resume, topNode } from './resume.ts';
import type { StepStatus } from './status.ts';

const step = (nodeId: string, status: StepStatus, handle: string | null = null): EarlierStep => ({
  nodeId,
  status,
  handle,
});

describe('resume', () => {
  const of = plan([node('a'), node('b'), node('c'), node('d')], ['a', 'b'], ['b', 'c'], ['c', 'd']);
  const failed = [step('a', 'COMPLETED'), step('b', 'COMPLETED'), step('c', 'FAILED')];

  it('keeps the steps before the failed one', () => {
    const { kept, progress } = resume(of, failed);
    expect(kept).toEqual(['a', 'b']);
    expect(readyIds(of, progress)).toEqual(['c']);
  });

  it('keeps the steps before the chosen one', () => {
    const { kept, progress } = resume(of, failed, (nodeId) => nodeId !== 'b');
    expect(kept).toEqual(['a']);
    expect(readyIds(of, progress)).toEqual(['b']);
  });

  it('keeps other branches, and skips their skipped nodes again', () => {
    const split = plan(
      [node('if'), node('yes'), node('no'), node('join'), node('bad'), node('last')],
      ['if', 'yes', 'true'],
      ['if', 'no', 'false'],
      ['yes', 'join'],
      ['no', 'join'],
      ['bad', 'last'],
      ['join', 'last'],
    );
    const steps = [step('if', 'COMPLETED', 'true'), step('yes', 'COMPLETED'), step('join', 'COMPLETED')];
    const { kept, progress } = resume(split, [...steps, step('bad', 'FAILED')]);
    expect(kept).toEqual(['if', 'yes', 'join']);
    expect(progress.nodes.no).toEqual({ status: 'SKIPPED' });
    expect(readyIds(split, progress)).toEqual(['bad']);
  });

  it('keeps failures that were handled', () => {
    const caught = plan([node('a', { onError: 'route' }), node('b'), node('c')], ['a', 'b', 'error'], ['a', 'c']);
    const { kept, progress } = resume(caught, [step('a', 'FAILED'), step('b', 'FAILED')]);
    expect(kept).toEqual(['a']);
    expect(progress.nodes).toEqual({ a: { status: 'FAILED', handle: 'error' }, c: { status: 'SKIPPED' } });
    expect(readyIds(caught, progress)).toEqual(['b']);
  });

  it('keeps nothing that ended the execution or was cut off', () => {
    const stopped = plan([node('a'), node('halt', { type: 'stop' }), node('b')], ['a', 'halt']);
    const steps = [step('a', 'COMPLETED'), step('halt', 'COMPLETED'), step('b', 'CANCELLED')];
    const { kept, progress } = resume(stopped, steps);
    expect(kept).toEqual(['a']);
    expect(progress.ended).toBeUndefined();
    expect(readyIds(stopped, progress)).toEqual(['halt', 'b']);
  });

  it('may find nothing left to do', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => step(id, 'COMPLETED'));
    expect(ending(of, resume(of, all).progress)).toEqual({ status: 'COMPLETED', endNodes: ['d'] });
  });
});

describe('topNode', () => {
  it('is the outermost loop', () => {
    const nested = plan([node('outer'), node('inner', { parentId: 'outer' }), node('leaf', { parentId: 'inner' })]);
    expect(['leaf', 'inner', 'outer'].map((id) => topNode(nested, id))).toEqual(['outer', 'outer', 'outer']);
  });
});

/** Returns the rows that a run leaves: skipped nodes have none, and open ones were cancelled. */
function rows({ nodes }: Progress): EarlierStep[] {
  return Object.entries(nodes).flatMap(([nodeId, { status, ...more }]): EarlierStep[] => {
    if (status === 'SKIPPED') return [];
    if (status === 'OPEN') return [step(nodeId, 'CANCELLED')];
    return [step(nodeId, status, 'handle' in more ? (more.handle ?? null) : null)];
  });
}

function behind(of: Plan, nodeId: string): Set<string> {
  const found = new Set<string>();
  const pending = [nodeId];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { from, to } of of.edges) {
      if (from !== next || found.has(to)) continue;
      found.add(to);
      pending.push(to);
    }
  }
  return found;
}

interface Given {
  of: Plan;
  mended: Map<string, Outcome>;
  steps: EarlierStep[];
  pick: (open: string[]) => string;
  fromStep: string | undefined;
}

describe('any graph', () => {
  const cases = fc.tuple(randomPlans, fc.infiniteStream(fc.nat()), fc.option(fc.nat(), { nil: undefined }));
  const check = (about: (given: Given & Resumption) => void) =>
    fc.assert(
      fc.property(cases, ([graph, numbers, from]) => {
        const pick = (open: string[]) => open[(numbers.next().value ?? 0) % open.length] ?? '';
        const steps = rows(runPlan(graph.of, graph.broken, NOTHING_DONE, pick));
        const fromStep = from === undefined ? undefined : steps[from % steps.length]?.nodeId;
        about({ ...graph, steps, pick, fromStep, ...resume(graph.of, steps, (nodeId) => nodeId !== fromStep) });
      }),
    );

  it('keeps, repeats or skips each node; and every kept node had ended', () => {
    check(({ of, steps, kept, progress }) => {
      const skipped = Object.keys(progress.nodes).filter((id) => progress.nodes[id]?.status === 'SKIPPED');
      expect([...kept, ...skipped].sort()).toEqual(Object.keys(progress.nodes).sort());
      for (const id of kept)
        expect(['COMPLETED', 'FAILED']).toContain(steps.find((each) => each.nodeId === id)?.status);
      expect(kept.every((id) => steps.some(({ nodeId }) => nodeId === id))).toBe(true);
      expect(of.nodes.length).toBeGreaterThanOrEqual(kept.length + skipped.length);
    });
  });

  it('keeps no node behind a repeated one, nor the step that it begins at', () => {
    check(({ of, kept, progress, fromStep }) => {
      const again = of.nodes.map(({ id }) => id).filter((id) => progress.nodes[id] === undefined);
      for (const id of again) for (const later of behind(of, id)) expect(kept).not.toContain(later);
      if (fromStep !== undefined) expect(again).toContain(fromStep);
    });
  });

  it('ends as a whole run of the mended graph', () => {
    check(({ of, mended, pick, progress }) => {
      const retried = runPlan(of, mended, progress, pick);
      const whole = runPlan(of, mended, NOTHING_DONE, pick);
      expect(retried.nodes).toEqual(whole.nodes);
      expect(ending(of, retried)).toEqual(ending(of, whole));
    });
  });
});
