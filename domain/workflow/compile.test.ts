import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileDefinition } from './compile.ts';
import { catalogue, definitionOf, edge, node } from './graphs.fixture.ts';

describe('compiled', () => {
  const MARK = 'seCret-mArk';
  /** Random acyclic graphs, with their nodes in random order. */
  const dag = fc
    .record({
      size: fc.integer({ min: 1, max: 12 }),
      pairs: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 }),
      rotate: fc.nat(11),
    })
    .map(({ size, pairs, rotate }) => {
      const ids = Array.from({ length: size }, (_, index) => `n${index}`);
      const links = new Set(
        pairs
          .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
          .filter(([a, b]) => a !== b && b < size)
          .map(([a, b]) => `n${a} n${b}`),
      );
      const nodes = ids.map((id) => node(id, { inputs: { url: MARK, body: { [MARK]: `{{ "${MARK}" }}` } } }));
      return {
        nodes: [...nodes.slice(rotate % size), ...nodes.slice(0, rotate % size)],
        edges: [...links].map((link) => edge(link.split(' ')[0] as string, link.split(' ')[1] as string)),
      };
    });

  test('a plan is in topological order, reaches every node, and contains no inputs', () => {
    fc.assert(
      fc.property(dag, (candidate) => {
        const { plan } = compileDefinition(definitionOf(candidate), catalogue);
        const place = new Map(plan.nodes.map(({ id }, index) => [id, index]));
        expect(place.size).toBe(candidate.nodes.length);
        const reached = new Set(['trigger']);
        for (const { id } of plan.nodes) {
          const incoming = plan.edges.filter(({ to }) => to === id);
          if (incoming.some(({ from }) => reached.has(from))) reached.add(id);
          for (const { from } of incoming)
            if (from !== 'trigger') expect(place.get(from)).toBeLessThan(place.get(id) as number);
        }
        expect(reached.size).toBe(candidate.nodes.length + 1);
        expect(JSON.stringify(plan)).not.toContain(MARK);
      }),
    );
  });

  test('order among equals is that of the definition', () => {
    const { plan } = compileDefinition(
      definitionOf({ nodes: [node('z'), node('b'), node('a')], edges: [edge('a', 'z')] }),
      catalogue,
    );
    expect(plan.nodes.map(({ id }) => id)).toEqual(['b', 'a', 'z']);
    expect(plan.edges).toEqual([
      { from: 'trigger', to: 'b' },
      { from: 'trigger', to: 'a' },
      { from: 'a', to: 'z' },
    ]);
  });

  test('manifest, references and variables', () => {
    const compiled = compileDefinition(
      definitionOf({
        nodes: [
          node('a', { actionId: 'get', onError: 'continue' }),
          node('b', { name: 'B', inputs: { url: '{{ steps.a.output + variables.v }}' } }),
        ],
        edges: [edge('a', 'b')],
        output: '{{ variables["w"] }}',
      }),
      catalogue,
    );
    expect(compiled.plan.nodes).toEqual([
      { id: 'a', type: 'action', label: 'GET', placement: 'remote', onError: 'continue', timeoutMs: 5_000 },
      { id: 'b', type: 'action', label: 'B', placement: 'inline' },
    ]);
    expect(compiled.variables).toEqual({ names: ['v', 'w'] });
    expect([...(compiled.nodes.get('b')?.references.steps ?? [])]).toEqual(['a']);
    expect(compiled.nodes.get('a')).toMatchObject({ icon: '<svg/>', action: { actionId: 'get' } });
  });
});
