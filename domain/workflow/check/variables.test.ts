import { expect, test } from '@jest/globals';
import { context, node } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

function found(body: string, severity: 'error' | 'warning' = 'error'): string[] {
  const variables = { names: new Set(['LIMIT', 'shop-url']), severity };
  const nodes = [node('n', { inputs: { url: 'u', body } })];
  const { problems } = validateDefinition({ nodes, edges: [] }, { ...context, variables });
  return problems.map((each) => `${each.severity} ${each.code} ${each.path}: ${each.message}`);
}

test.each([
  '{{ variables.LIMIT }}',
  '{{ variables["shop-url"] + "/orders" }}',
  '{{ variables.?OTHER.orValue(1) }}',
  '{{ has(variables.OTHER) ? variables.OTHER : 1 }}',
  '{{ "OTHER" in variables && variables.OTHER }}',
  '{{ variables[trigger.name] }}',
  '{{ variables }}',
])('%s is not reported', (text) => {
  expect(found(text)).toEqual([]);
});

test('a variable that does not exist', () => {
  const place = 'UNKNOWN_VARIABLE nodes[0].inputs.body: there is no variable LIMITT';
  expect(found('{{ trigger.n > variables.LIMITT }}')).toEqual([`error ${place}`]);
  expect(found('{{ variables["LIMITT"].max }}', 'warning')).toEqual([`warning ${place} in these files`]);
});
