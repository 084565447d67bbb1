import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Plan } from '../workflow/plan.ts';
import { lookahead } from './lookahead.ts';
import type { Outcome } from './outcome.ts';
import { NOTHING_DONE, type Progress } from './progress.ts';
import { done, failure, node, plan, randomPlans, readyIds, runPlan } from './randomPlans.fixture.ts';
import { apply, begin, ending } from './reducer.ts';

function fold(of: Plan, ...outcomes: Outcome[]): Progress {
  return outcomes.reduce((progress, outcome) => apply(of, progress, outcome), NOTHING_DONE);
}

describe('ready', () => {
  it('begins with the targets of the trigger and with nodes that nothing leads to', () => {
    const of = plan([node('a'), node('b'), node('c')], ['trigger', 'a'], ['a', 'b']);
    expect(readyIds(of, NOTHING_DONE)).toEqual(['a', 'c']);
  });

  it('joins once every edge is decided and one was taken', () => {
    const of = plan(
      [node('if'), node('yes'), node('no'), node('join')],
      ['trigger', 'if'],
      ['if', 'yes', 'true'],
      ['if', 'no', 'false'],
      ['yes', 'join'],
      ['no', 'join'],
    );
    const decided = fold(of, done('if', 'true'));
    expect(readyIds(of, decided)).toEqual(['yes']);
    expect(decided.nodes.no).toEqual({ status: 'SKIPPED' });
    expect(readyIds(of, apply(of, decided, done('yes')))).toEqual(['join']);
  });

  it('skips downstream of a way that is not taken, join included', () => {
    const of = plan(
      [node('if'), node('no'), node('after'), node('last')],
      ['trigger', 'if'],
      ['if', 'no', 'false'],
      ['no', 'after'],
      ['after', 'last'],
    );
    const progress = fold(of, done('if', 'true'));
    expect(ending(of, progress)).toEqual({ status: 'COMPLETED', endNodes: ['if'] });
    expect(progress.nodes.last).toEqual({ status: 'SKIPPED' });
  });

  it('waits for a branch that is open', () => {
    const of = plan([node('a'), node('b'), node('join')], ['a', 'join'], ['b', 'join']);
    const progress = apply(of, begin(NOTHING_DONE, ['a', 'b']), done('a'));
    expect(readyIds(of, progress)).toEqual([]);
    expect(ending(of, progress)).toBeUndefined();
  });
});

describe('failures', () => {
  const of = (onError?: 'continue' | 'route') =>
    plan(
      [node('a', onError ? { onError } : {}), node('next'), node('handler')],
      ['trigger', 'a'],
      ['a', 'next'],
      ...(onError === 'route' ? [['a', 'handler', 'error'] as [string, string, string]] : []),
    );

  it('end the execution if nothing catches them', () => {
    const progress = fold(of(), failure('a'));
    expect(ending(of(), progress)).toEqual({ status: 'FAILED', nodeId: 'a', stop: false });
    expect(readyIds(of(), progress)).toEqual([]);
  });

  it('continue on the plain edge with continue, on the error edge with route', () => {
    expect(readyIds(of('continue'), fold(of('continue'), failure('a')))).toContain('next');
    const routed = fold(of('route'), failure('a'));
    expect(readyIds(of('route'), routed)).toEqual(['handler']);
    expect(routed.nodes.next).toEqual({ status: 'SKIPPED' });
  });

  it('skip the error edge when there is none', () => {
    const progress = fold(of('route'), done('a'));
    expect(progress.nodes.handler).toEqual({ status: 'SKIPPED' });
  });
});

describe('stop and repeats', () => {
  it('ends at once, also with open nodes', () => {
    const of = plan([node('a'), node('b')], ['trigger', 'a'], ['trigger', 'b']);
    const stopped: Outcome = { nodeId: 'a', status: 'COMPLETED', stop: 'failed' };
    const progress = apply(of, begin(NOTHING_DONE, ['a', 'b']), stopped);
    expect(ending(of, progress)).toEqual({ status: 'FAILED', nodeId: 'a', stop: true });
  });

  it('keeps the first outcome of a node', () => {
    const of = plan([node('a')], ['trigger', 'a']);
    const once = fold(of, done('a'));
    expect(apply(of, once, failure('a'))).toBe(once);
  });
});

describe('lookahead', () => {
  const of = plan(
    [node('a', { placement: 'remote' }), node('b', { placement: 'remote' }), node('c')],
    ['trigger', 'a'],
    ['a', 'b'],
  );

  it('names the remote nodes that come next', () => {
    const progress = begin(apply(of, NOTHING_DONE, done('c')), ['a']);
    expect(lookahead(of, progress, done('a'))).toEqual({ queue: ['b'] });
  });

  it('returns the end only when nothing else is open', () => {
    const alone = begin(fold(of, done('a'), done('c')), ['b']);
    expect(lookahead(of, alone, done('b'))).toEqual({ ending: { status: 'COMPLETED', endNodes: ['b', 'c'] } });
    const beside = begin(fold(of, done('a')), ['b', 'c']);
    expect(lookahead(of, beside, done('b'))).toEqual({});
    expect(lookahead(of, beside, failure('b'))).toEqual({});
  });
});

describe('any graph', () => {
  it('ends, with every node decided, the same in every order of finishing', () => {
    fc.assert(
      fc.property(randomPlans, fc.infiniteStream(fc.nat()), ({ of, mended }, numbers) => {
        const inOrder = runPlan(of, mended, NOTHING_DONE, (open) => open[0] ?? '');
        const mixed = runPlan(
          of,
          mended,
          NOTHING_DONE,
          (open) => open[(numbers.next().value ?? 0) % open.length] ?? '',
        );
        expect(Object.keys(inOrder.nodes)).toHaveLength(of.nodes.length);
        expect(mixed.nodes).toEqual(inOrder.nodes);
        expect(ending(of, mixed)).toEqual(ending(of, inOrder));
      }),
    );
  });

  it('never runs a node before its sources are decided', () => {
    fc.assert(
      fc.property(randomPlans, ({ of, mended }) => {
        runPlan(of, mended, NOTHING_DONE, (open) => {
          const [first = ''] = open;
          const sources = of.edges.filter((edge) => edge.to === first).map((edge) => edge.from);
          expect(sources.some((source) => open.includes(source))).toBe(false);
          return first;
        });
      }),
    );
  });
});
