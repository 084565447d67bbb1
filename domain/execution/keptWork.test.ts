import { describe, expect, it } from '@jest/globals';
import { compileDefinition } from '../workflow/compile.ts';
import { catalogue, definitionOf, edge, node } from '../workflow/graphs.fixture.ts';
import { unchangedNodes } from '../workflow/unchangedNodes.ts';
import { keepRules, reachesInside } from './keptWork.ts';

const compiled = (candidate: object) => compileDefinition(definitionOf(candidate), catalogue);
const loop = (inputs: object = { items: [1, 2] }) => ({ id: 'each', type: 'forEach', inputs });
const inside = (id: string, more: object = {}) => node(id, { parentId: 'each', ...more });
const nodes = [node('before'), loop(), inside('a'), inside('b'), inside('c'), node('after')];
const edges = [edge('before', 'each'), edge('a', 'b'), edge('b', 'c'), edge('each', 'after')];
const old = compiled({ nodes, edges });

function again(now = old, fromStep?: string) {
  const rules = keepRules(now.plan, now === old ? undefined : unchangedNodes(old, now), fromStep);
  return {
    again: rules.filter(({ keep }) => !keep).map(({ id }) => id),
    reshaped: rules.filter(({ reshaped }) => reshaped).map(({ id }) => id),
    inside: reachesInside(now.plan, rules),
    input: rules.find(({ id }) => id === 'each')?.input,
  };
}

describe('the rules of a retry', () => {
  it('keep all nodes of the same version, and return what follows each inside a loop', () => {
    expect(again()).toEqual({ again: [], reshaped: [], inside: false, input: {} });
    const rules = keepRules(old.plan, undefined, undefined);
    const after = rules.map(({ id, after }): [string, string[]] => [id, after]);
    expect(Object.fromEntries(after)).toEqual({ before: [], each: [], a: ['b', 'c'], b: ['c'], c: [], after: [] });
  });

  it('let the step run again from which a retry begins: inside a loop, iterations that ended are looked at', () => {
    expect(again(old, 'after')).toMatchObject({ again: ['after'], inside: false });
    expect(again(old, 'b')).toMatchObject({ again: ['b'], inside: true });
  });

  it('let changed nodes run again, and not their loop', () => {
    const changed = nodes.map((each) => (each.id === 'b' ? inside('b', { inputs: { url: 'v' } }) : each));
    expect(again(compiled({ nodes: changed, edges }))).toEqual({
      ...{ again: ['b'], reshaped: [], inside: true, input: {} },
    });
  });

  it('let a loop continue if only the path of its iterations differs', () => {
    const with_ = (inputs: object) =>
      again(compiled({ nodes: nodes.map((each) => (each.id === 'each' ? loop(inputs) : each)), edges }));
    expect(with_({ items: [1, 2], concurrency: 5 })).toMatchObject({ again: [], input: { concurrency: 5 } });
    expect(with_({ items: [1, 2], concurrency: '{{ trigger.n }}' })).toMatchObject({ again: ['each'] });
    expect(with_({ items: [1, 2, 3] })).toMatchObject({ again: ['each'] });
  });

  it('let a loop that keeps its outputs no longer make its output again, of the iterations that it has', () => {
    const with_ = (inputs: object) =>
      compiled({ nodes: nodes.map((each) => (each.id === 'each' ? loop({ items: [1, 2], ...inputs }) : each)), edges });
    const rulesOf = (before: object, after: object) =>
      keepRules(with_(after).plan, unchangedNodes(with_(before), with_(after)), undefined);
    const counted = rulesOf({}, { keepOutputs: false });
    expect(counted.every(({ keep, reshaped }) => keep && !reshaped)).toBe(true);
    expect(counted.find(({ id }) => id === 'each')).toMatchObject({ otherOutput: true, input: { keepOutputs: false } });
    expect(rulesOf({}, { keepOutputs: true }).some(({ otherOutput }) => otherOutput)).toBe(false);
  });

  it('look at all iterations where nodes or edges were added or taken away; behind a new one all runs again', () => {
    const added = { nodes: [...nodes, inside('d')], edges: [...edges, edge('a', 'd'), edge('d', 'c')] };
    expect(again(compiled(added))).toMatchObject({ again: ['d', 'c'], reshaped: ['each'], inside: true });
    const fewer = { nodes: nodes.filter(({ id }) => id !== 'c'), edges: edges.filter(({ target }) => target !== 'c') };
    expect(again(compiled(fewer))).toMatchObject({ again: [], reshaped: ['each'], inside: true });
  });
});
