import { expect, test } from '@jest/globals';
import { context, node } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

function found(...nodes: object[]) {
  return validateDefinition({ nodes, edges: [] }, context).problems.map(({ path, code, severity, fix }) => ({
    ...{ path, code, severity },
    value: fix?.edits[0]?.value,
  }));
}

const decide = (condition: unknown) => ({ id: 'c', type: 'condition', inputs: { condition } });
const code = 'EXPRESSION_AS_TEXT';
const error = { code, severity: 'error' };
const condition = 'nodes[0].inputs.condition';

test.each([
  ['{{ trigger.n }} > 300', '{{ trigger.n > 300 }}'],
  ['{{ trigger.n + 1 }} > {{ trigger.m }}', '{{ (trigger.n + 1) > trigger.m }}'],
  ['!{{ trigger.ok }}', '{{ !trigger.ok }}'],
  [' {{ trigger.ok }}', '{{ trigger.ok }}'],
])('a condition that is text: %s', (text, value) => {
  if (text.trim() === value) return;
  expect(found(decide(text))).toEqual([{ path: condition, ...error, value }]);
  expect(found(decide(value))).toEqual([]);
});

test('a text that is no expression either keeps the error about the type', () => {
  expect(found(decide('{{ trigger.n }} is large'))).toEqual([{ path: condition, value: undefined }]);
  expect(found(decide('yes'))).toEqual([{ path: condition, value: undefined }]);
});

test('a case, a condition of a repeat, and a number', () => {
  const cases = [{ name: 'a', when: '{{ trigger.n }} == 1' }];
  expect(
    found(
      { id: 's', type: 'switch', inputs: { cases } },
      { id: 'r', type: 'repeat', inputs: { until: '{{ loop.index }} > 3' } },
      node('n', { inputs: { url: 'u', count: '{{ trigger.n }} * 2' } }),
    ),
  ).toEqual([
    { path: 'nodes[0].inputs.cases[0].when', ...error, value: '{{ trigger.n == 1 }}' },
    { path: 'nodes[1].inputs.until', ...error, value: '{{ loop.index > 3 }}' },
    { path: 'nodes[2].inputs.count', ...error, value: '{{ trigger.n * 2 }}' },
  ]);
});

test('a value of any kind that looks like a comparison is a warning; texts are not', () => {
  const body = (value: unknown) => node('n', { inputs: { url: 'u', body: value } });
  expect(found(body({ large: ['{{ trigger.n }} > 300'] }))).toEqual([
    { path: 'nodes[0].inputs.body.large[0]', code, severity: 'warning', value: '{{ trigger.n > 300 }}' },
  ]);
  for (const text of [
    '{{ trigger.n }} - {{ trigger.m }}',
    '{{ trigger.n }} > limit',
    '{{ trigger.n }} <b>',
    'n: {{ trigger.n }} > 300',
    '{{ trigger.n }}%',
    '{{ trigger.n }} && more',
  ])
    expect(found(body(text))).toEqual([]);
  expect(found(node('n', { inputs: { url: '{{ trigger.n }} > 300' } }))).toEqual([]);
});
