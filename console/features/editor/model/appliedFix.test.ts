import { expect, test } from '@jest/globals';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { withFix } from './appliedFix.ts';

test('sets each value at its place, and leaves the definition itself as it is', () => {
  const definition = {
    trigger: { id: 'trigger', type: 'manual', config: {} },
    nodes: [
      { id: 'a', type: 'action', inputs: { 'x y': ['{{ a }} > 3', 1] } },
      { id: 'b', type: 'action' },
    ],
    edges: [],
  } as unknown as Definition;
  const before = structuredClone(definition);
  const edits = [
    { path: 'nodes[0].inputs["x y"][0]', value: '{{ a > 3 }}' },
    { path: 'output', value: null },
  ];
  const fixed = withFix(definition, { label: 'move it inside', edits });
  expect(fixed.nodes[0]?.inputs).toEqual({ 'x y': ['{{ a > 3 }}', 1] });
  expect(fixed.nodes[1]).toBe(definition.nodes[1]);
  expect(fixed.output).toBe(null);
  expect(definition).toEqual(before);
});
