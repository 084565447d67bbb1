import { expect, test } from '@jest/globals';
import * as yaml from 'yaml';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { codeOf, marksOf } from './codeText.ts';

const definition: Definition = {
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: [
    { id: 'a', type: 'action', appId: 'core', actionId: 'transform', inputs: { value: '{{ nothing }}' } },
    { id: 'b', type: 'action', appId: 'core', actionId: 'transform', inputs: { 'x y': { deep: [1, 2] } } },
  ],
  edges: [{ id: 'e', source: 'a', target: 'b' }],
};

test.each(['yaml', 'json'] as const)('problems stand in %s at their values, or at what lacks them', (format) => {
  const text = codeOf(yaml, definition, format);
  const marked = (path: string) =>
    marksOf(yaml, text, [{ path, message: 'wrong', node: undefined, isLack: false, field: '' }]).map(({ from, to }) =>
      text.slice(from, to).replaceAll('"', ''),
    );
  expect(marked('nodes[0].inputs.value')).toEqual(['{{ nothing }}']);
  expect(marked('nodes[1].inputs["x y"].deep[1]')).toEqual(['2']);
  expect(marked('nodes[1].inputs["x y"]')).toEqual(['x y']);
  expect(marked('nodes[1].inputs.value')).toEqual(['inputs']);
  expect(marked('nodes[1]')).toEqual(['id']);
  expect(marked('nodes[1].connectionId')).toEqual(['id']);
  expect(marked('edges[0].target')).toEqual(['b']);
  expect(marked('trigger.config')).toEqual(['config']);
  expect(marked('nodes')).toEqual(['nodes']);
  expect(marked('name')).toEqual([]);
});
