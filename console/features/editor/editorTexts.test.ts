import { expect, test } from '@jest/globals';
import * as yaml from 'yaml';
import { keysOfPath } from '../../../domain/place.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { fitting } from '../../ui/code/fieldCompletion.ts';
import { readValue, valueText } from '../../ui/form/looseJson.ts';
import { slugOf } from '../../ui/slug.ts';
import { draftPlace } from './draft/keptDraft.ts';
import { completionsAt, readablePaths } from './editing/completions.ts';
import { codeOf, readCode } from './model/codeText.ts';
import { changed, historyOf, MAX_PAST, redone, undone } from './model/draft.ts';
import { withEdge, withRenamedNode } from './model/graphChanges.ts';
import { withNode } from './model/palette.ts';
import { placeOf } from './model/placedProblems.ts';

const definition: Definition = {
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: [
    { id: 'ask', type: 'input', inputs: { fields: [] } },
    { id: 'a-b', type: 'delay', inputs: { until: '{{ steps.ask.output.at + steps.asked }}' } },
    { id: 'c', type: 'delay', inputs: { until: '{{ steps["a-b"].output }} steps.ask' } },
  ],
  edges: [{ id: 'e', source: 'ask', target: 'a-b' }],
  output: '{{ steps.ask.output }}',
};

test('a definition comes back from its text as it was', () => {
  for (const format of ['yaml', 'json'] as const) {
    expect(readCode(yaml, codeOf(yaml, definition, format))).toEqual({ definition });
  }
});

test.each([
  ['nodes: [', 'Flow sequence'],
  ['[]', 'expected trigger, nodes and edges'],
  ['{trigger: {type: manual, config: {}}, nodes: [{id: a, type: x}], edges: []}', 'nodes[0]: expected a type of'],
  ['{trigger: {type: manual, config: {}}, nodes: [], edges: [{source: a, target: b}]}', 'there is no node a'],
])('a text that cannot be drawn is refused: %s', (text, reason) => {
  expect(readCode(yaml, text)).toEqual({
    problem: expect.stringContaining(reason),
    ...(text === 'nodes: [' ? { from: expect.any(Number) } : {}),
  });
});

test('another id goes to edges and expressions, and to nothing that is only like it', () => {
  const { nodes, edges, output } = withRenamedNode(definition, 'ask', 'x-y');
  expect(edges[0]).toMatchObject({ source: 'x-y', target: 'a-b' });
  expect(nodes[1]?.inputs).toEqual({ until: '{{ steps["x-y"].output.at + steps.asked }}' });
  expect(output).toBe('{{ steps["x-y"].output }}');
  expect(withRenamedNode(definition, 'a-b', 'd').nodes[2]?.inputs).toEqual({ until: '{{ steps.d.output }} steps.ask' });
});

test('another id goes into expressions, and not into the words around them', () => {
  const said: Definition = {
    ...definition,
    nodes: [{ id: 'a', type: 'delay', inputs: { note: 'steps.a is {{ steps.a.output }}, steps.a' } }],
    edges: [],
  };
  expect(withRenamedNode(said, 'a', 'z').nodes[0]?.inputs).toEqual({
    note: 'steps.a is {{ steps.z.output }}, steps.a',
  });
  // Braces of maps and string literals do not end an expression.
  const deep = { ...said, output: '{{ {"in": {"a": 1}}.in.a + size("}}") + steps.a.output }} steps.a' };
  expect(withRenamedNode(deep, 'a', 'z').output).toBe(
    '{{ {"in": {"a": 1}}.in.a + size("}}") + steps.z.output }} steps.a',
  );
});

test('the draft of a new workflow is offered in its own workspace alone', () => {
  const places = ['first', 'second'].map((workspace) => draftPlace('ann', workspace, undefined));
  expect(new Set(places).size).toBe(2);
});

test('a node that takes the old id of a renamed one gets edges with ids of their own; an id that a person wrote stays', () => {
  const start: Definition = {
    ...{ trigger: definition.trigger, edges: [{ id: 'set>ask', source: 'set', target: 'ask' }] },
    nodes: ['set', 'ask'].map((id) => ({ id, type: 'delay', inputs: { until: 0 } })),
  };
  const added = withNode(withRenamedNode(start, 'set', 'total'), { type: 'delay', inputs: { until: 0 } }, 'set', {
    after: 'trigger',
  }).definition;
  const ids = withEdge(added, 'set', 'ask', undefined).edges.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(['set>ask', 'set>total', 'total>ask']);
  expect(withRenamedNode(definition, 'ask', 'x').edges[0]?.id).toBe('e');
});

test.each([
  ['plain text', 'plain text'],
  ['', undefined],
  ['12', 12],
  ['"12"', '12'],
  ['{"a": "{{ b }}"}', { a: '{{ b }}' }],
  ['{{ a }}', '{{ a }}'],
])('a field for any value reads %j', (text, value) => {
  expect(readValue(text)).toEqual({ value });
  expect(readValue(valueText(value))).toEqual({ value });
});

test('a text that looks like JSON must be JSON', () => {
  expect(readValue('{"a": ')).toEqual({ problem: true });
});

test('changes about the same soon after each other are undone together', () => {
  let history = historyOf(0);
  history = changed(history, 1, 'name', 0);
  history = changed(history, 2, 'name', 500);
  history = changed(history, 3, 'name', 5_000);
  expect(undone(history).present).toBe(2);
  expect(undone(undone(history)).present).toBe(0);
  expect(redone(undone(history)).present).toBe(3);
  for (let count = 4; count < 300; count += 1) history = changed(history, count, '', 10_000);
  expect(history.past).toHaveLength(MAX_PAST);
});

const known = {
  trigger: { person: 'Ada', 'e-mail': '' },
  steps: { ask: { output: { amount: 1 } } },
  loop: { index: 0 },
};
const functions = [{ name: 'upper', signature: 'upper(text) → text', doc: 'Capital letters.' }];
const readable = { known, functions, nameOf: (id: string) => `Node ${id}` };
const completed = (text: string, isAsked = false) =>
  completionsAt(text, text.length, readable, isAsked)?.options.map(({ label, apply, detail, section }) => ({
    ...{ label, apply, detail, section },
  }));
const labels = (text: string) => completed(text)?.map(({ label }) => label);

test('names are completed from the values that are known', () => {
  expect(labels('{{ trigger.')).toEqual(['person', 'e-mail']);
  expect(labels('{{ steps.ask.output.am')).toEqual(['amount', 'upper']);
  expect(labels('{{ upper(trigger.person).')).toEqual(['upper']);
  expect(labels('no expression: trigger.')).toBeUndefined();
  expect(labels('{{ "trigger.')).toBeUndefined();
  expect(labels('{{ a }} trigger.')).toBeUndefined();
  expect(completed('{{ steps.')).toEqual([{ label: 'ask', detail: 'Node ask' }]);
});

test('an expression begins with any value that it can read, under the name of the node that gives it', () => {
  expect(completed('{{ ')).toEqual([
    ...['steps', 'loop', 'now'].map((label) => ({ label })),
    { label: 'loop.index', section: 'This loop', detail: '0' },
    { label: 'steps.ask.output', section: 'Node ask', detail: '{"amount":1}' },
    { label: 'steps.ask.output.amount', section: 'Node ask', detail: '1' },
    { label: 'trigger', section: 'Trigger', detail: '{"person":"Ada","e-mail":""}' },
    { label: 'trigger.person', section: 'Trigger', detail: '"Ada"' },
    { label: 'trigger["e-mail"]', section: 'Trigger' },
    { label: 'upper', apply: 'upper(', section: 'Functions', detail: 'upper(text) → text: Capital letters.' },
  ]);
});

test('behind what is whole nothing is listed unless somebody asks: Enter there would choose it', () => {
  for (const text of ['{{ upper(trigger.person)', '{{ trigger.person ', '{{ 12', '{{ "a" ']) {
    expect([text, labels(text)]).toEqual([text, undefined]);
    expect([text, completed(text, true)?.length]).toEqual([text, 10]);
  }
  for (const text of ['{{ trigger.person + ', '{{ upper(', '{{ 1 in ', '{{ [1, ']) {
    expect([text, labels(text)?.length]).toEqual([text, 10]);
  }
});

test('outside of an expression a value that is asked for comes as a whole one; in a text of one, nothing does', () => {
  const asked = completed('Dear ', true) ?? [];
  expect(asked.map(({ apply }) => apply)).toContain('{{ steps.ask.output.amount }}');
  expect(asked.map(({ label }) => label)).not.toContain('upper');
  expect(completed('{{ "Dear ', true)).toBeUndefined();
});

test('options that fit best come first, and a value is found by the name of its node, too', () => {
  const fits = (typed: string) =>
    fitting(completionsAt('{{ ', 3, readable)?.options ?? [], typed).map(({ label }) => label);
  expect(fits('t')).toEqual([
    ...['trigger', 'trigger.person', 'trigger["e-mail"]'],
    ...['steps', 'steps.ask.output', 'steps.ask.output.amount', 'loop.index'],
  ]);
  expect(fits('am')).toEqual(['steps.ask.output.amount']);
  expect(fits('node')).toEqual(['steps.ask.output', 'steps.ask.output.amount']);
  expect(fits('pers')).toEqual(['trigger.person']);
});

test('of a value with many members forty are listed, of all values four hundred', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, { a: 1 }]));
  const steps = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`s${index}`, { output: many }]));
  const found = readablePaths({ trigger: many, steps });
  expect(found).toHaveLength(400);
  expect(found.filter(({ of }) => 'step' in of && of.step === 's0')).toHaveLength(40);
});

test('a problem is shown at its field', () => {
  expect(keysOfPath('nodes[1].inputs["x y"].a')).toEqual(['nodes', 1, 'inputs', 'x y', 'a']);
  expect(placeOf({ path: 'nodes[1].inputs.until', message: '' }, definition)).toEqual({
    node: 'a-b',
    field: 'inputs.until',
  });
  expect(placeOf({ path: 'trigger.config.cron', message: '' }, definition)).toEqual({
    node: 'trigger',
    field: 'config.cron',
  });
  expect(placeOf({ path: 'edges[0].target', message: '' }, definition)).toEqual({ node: 'ask', field: '' });
  expect(placeOf({ path: 'output', message: '' }, definition)).toEqual({ node: undefined, field: 'output' });
});

test('a slug is made of a name', () => {
  expect(slugOf('  Refund an expense! ')).toBe('refund-an-expense');
  expect(slugOf('Überweisung')).toBe('uberweisung');
  expect(slugOf('Große Straße, Łódź')).toBe('grosse-strasse-lodz');
});
