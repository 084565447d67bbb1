import { expect, test } from '@jest/globals';
import { compileDefinition } from './compile.ts';
import type { Definition } from './definition.ts';
import { catalogue, node } from './graphs.fixture.ts';
import { mayHoldSecrets } from './mayHoldSecrets.ts';

const PLAIN = { key: 'a', label: 'A', type: 'text', required: true };
const SECRET = { ...PLAIN, type: 'secret' };

function holds(nodes: object[], trigger: object = { type: 'webhook', config: {} }): boolean {
  const definition = { trigger: { id: 'trigger', ...trigger }, nodes, edges: [] } as unknown as Definition;
  return mayHoldSecrets(compileDefinition(definition, catalogue));
}

const input = (fields: unknown) => ({ id: 'a', type: 'input', inputs: { fields } });

test.each([
  [false, [node('a')]],
  [false, [input([PLAIN])]],
  [false, [{ id: 'a', type: 'condition', inputs: { condition: true } }]],
  [true, [node('b'), input([PLAIN, SECRET])]],
  [true, [input('{{ trigger.body.fields }}')]],
  [true, [input([{ ...PLAIN, type: '{{ trigger.body.type }}' }])]],
  [true, [{ id: 'a', type: 'runWorkflow', inputs: { slug: 'other' } }]],
  [true, [node('a', { connectionId: 'c' })]],
])('%s: %j', (expected, nodes) => {
  expect(holds(nodes)).toBe(expected);
});

test('the form of a manual trigger counts', () => {
  expect(holds([node('a')], { type: 'manual', config: {} })).toBe(false);
  expect(holds([node('a')], { type: 'manual', config: { fields: [PLAIN, SECRET] } })).toBe(true);
});
