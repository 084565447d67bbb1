import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import { compileRules } from '../../object/compiledRules.ts';
import { catalogue, context } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';
import type { KnownType } from './entities.ts';

const app = catalogue.get('app');
if (!app) throw new Error('The fixture has no app');
const [get] = app.actions;
if (!get) throw new Error('The app has no action');

const FIELDS = ['objectTypeSlug', 'id', 'name', 'state', 'states', 'attributes', 'reason'].map((key) => ({
  ...{ key, label: key, type: 'json' as const, required: false },
}));
const actions = ['create', 'update', 'find', 'setState'].map((actionId) => ({
  ...get,
  actionId,
  inputConfig: { fields: FIELDS },
}));
const withObjects = new Map([...catalogue, ['objects', { ...app, appId: 'objects', actions }]]);

const schema = {
  type: 'object',
  properties: {
    total: { type: 'number', minimum: 0 },
    email: { type: 'string', format: 'email' },
    status: { enum: ['open', 'paid'] },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
    kind: { type: 'string' },
    note: { type: 'string' },
  },
  required: ['total'],
  // A company needs a note.
  if: { properties: { kind: { const: 'company' } }, required: ['kind'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['note'] },
};
const stateSchema = { initial: 'draft', states: [{ id: 'draft' }, { id: 'paid', requiredFields: ['note'] }] };

function typed(attributeSchema: JsonObject | null, more: object = {}): KnownType {
  const rules = compileRules({ attributeSchema, stateSchema, allowUnknownAttributes: false, ...more });
  return { isEnabled: true, rules };
}

const TYPES: Record<string, KnownType> = {
  order: typed(schema as JsonObject),
  old: { ...typed(null), isEnabled: false },
  loose: typed(null, { stateSchema: null, allowUnknownAttributes: true }),
  wide: typed({
    properties: { sku: { type: 'string', description: 'x'.repeat(5_000) } },
    required: ['sku'],
  }),
};

interface Step {
  actionId: string;
  inputs: object;
}

function found(steps: Step[], severity: 'error' | 'warning' = 'error'): string[] {
  const nodes = steps.map((step, index) => ({ id: `n${index}`, type: 'action', appId: 'objects', ...step }));
  const edges = steps.slice(1).map((_, index) => ({ source: `n${index}`, target: `n${index + 1}` }));
  const types = { typeOf: (slug: string) => TYPES[slug], severity };
  const { problems } = validateDefinition({ nodes, edges }, { ...context, catalogue: withObjects, types });
  return problems.map((each) => `${each.severity} ${each.code} ${each.path.replace(/^nodes\[\d+\]\.inputs\./, '')}`);
}

const create = (attributes: object | string, more: object = {}) => ({
  actionId: 'create',
  inputs: { objectTypeSlug: 'order', name: 'x', attributes, ...more },
});

test.each<[string, Step]>([
  ['attributes that fit', create({ total: 1, email: 'a@b.example', status: 'paid' })],
  ['expressions for all values', create({ total: '{{ trigger.n }}', status: '{{ trigger.s }}', lines: '{{ [] }}' })],
  ['an expression for all attributes', create('{{ trigger }}')],
  ['an expression inside of a list', create({ total: 1, lines: [{ sku: '{{ trigger.sku }}' }, '{{ trigger.line }}'] })],
  ['a text with an expression', create({ total: 1, note: 'for {{ trigger.n }}' })],
  ['a format that an expression may fit', create({ total: 1, email: '{{ trigger.name }}@b.example' })],
  ['a condition of the schema over an expression', create({ total: 1, kind: '{{ trigger.kind }}' })],
  ['null for an unknown attribute', create({ total: 1, other: null })],
  ['a state that an expression names', create({ total: 1 }, { state: '{{ trigger.state }}' })],
  ['a state with its required field', create({ total: 1, note: '{{ trigger.note }}' }, { state: 'paid' })],
  ['a type that an expression names', create({ any: 1 }, { objectTypeSlug: '{{ trigger.type }}' })],
  ['unknown attributes that the type allows', create({ any: 1 }, { objectTypeSlug: 'loose' })],
  ['extensions', create({ total: 1, extensions: { any: 1 } })],
  ['an entity of an unknown type', { actionId: 'setState', inputs: { id: '{{ trigger.id }}', state: 'any' } }],
  ['a filter', { actionId: 'find', inputs: { objectTypeSlug: 'order', attributes: { total: 'x' }, states: ['paid'] } }],
])('%s is not reported', (_, step) => {
  expect(found([step])).toEqual([]);
});

test('a type that does not exist, or is disabled', () => {
  const unknown = create({}, { objectTypeSlug: 'ordr' });
  expect(found([unknown])).toEqual(['error ENTITY_TYPE objectTypeSlug']);
  expect(found([unknown], 'warning')).toEqual(['warning ENTITY_TYPE objectTypeSlug']);
  expect(found([create({}, { objectTypeSlug: 'old' })])).toEqual(['warning ENTITY_TYPE objectTypeSlug']);
  const poll = { appId: 'objects', triggerId: 'changed', everyMs: 60_000, inputs: { objectTypeSlug: 'ordr' } };
  const trigger = { type: 'poll', config: poll };
  const triggers = [
    { triggerId: 'changed', name: '', description: '', permissions: [], inputConfig: { fields: FIELDS } },
  ];
  const polled = new Map([['objects', { ...app, appId: 'objects', triggers }]]);
  const types = { typeOf: () => undefined, severity: 'error' as const };
  const { problems } = validateDefinition({ trigger, nodes: [], edges: [] }, { ...context, catalogue: polled, types });
  expect(problems.map(({ code, path }) => `${code} ${path}`)).toContain(
    'ENTITY_TYPE trigger.config.inputs.objectTypeSlug',
  );
});

test('attributes that are missing, unknown or wrong', () => {
  const at = (...paths: string[]) => paths.map((path) => `error ENTITY_ATTRIBUTES attributes${path}`);
  expect(found([{ actionId: 'create', inputs: { objectTypeSlug: 'order', name: 'x' } }])).toEqual(at('.total'));
  expect(found([create({ totl: 1 })])).toEqual(at('.totl', '.total'));
  expect(found([create({ total: 'a', email: 'b', status: 'c' })])).toEqual(at('.total', '.email', '.status'));
  expect(found([create({ total: 'about {{ trigger.n }}' })])).toEqual(at('.total'));
  expect(found([create({ total: -1, note: '{{ trigger.note }}' })])).toEqual(at('.total'));
  expect(found([create({ total: 1, lines: [{ sku: '{{ trigger.sku }}' }, {}] })])).toEqual(at('.lines[1].sku'));
  expect(found([create({ total: 1, lines: { sku: '{{ trigger.sku }}' } })])).toEqual(at('.lines'));
  expect(found([create({ total: 1, kind: 'company' })])).toEqual(at('.note', ''));
  expect(found([create({ skuu: 1 }, { objectTypeSlug: 'wide' })])).toEqual(at('.skuu', '.sku'));
});

test('states', () => {
  const state = 'error ENTITY_STATE state';
  expect(found([create({ total: 1 }, { state: 'paied' })])).toEqual([state]);
  expect(found([create({}, { objectTypeSlug: 'loose', state: 'draft' })])).toEqual([state]);
  expect(found([create({ total: 1 }, { state: 'paid' })])).toEqual(['error ENTITY_ATTRIBUTES attributes.note']);
  const filter = { objectTypeSlug: 'order', attributes: { totl: 1 }, states: ['paid', 'paied', '{{ trigger.s }}'] };
  expect(found([{ actionId: 'find', inputs: filter }])).toEqual([
    'warning ENTITY_ATTRIBUTES attributes.totl',
    'warning ENTITY_STATE states[1]',
  ]);
});

test('the entity that an earlier step creates', () => {
  const change = (actionId: string, more: object) => ({
    actionId,
    inputs: { id: '{{ steps.n0.output.id }}', ...more },
  });
  const make = create({ total: 1 });
  expect(found([make, change('setState', { state: 'paid', attributes: { note: 'x' } })])).toEqual([]);
  expect(found([make, change('update', { attributes: { note: '{{ trigger.note }}', kind: 'company' } })])).toEqual([]);
  expect(found([make, change('setState', { state: 'paied' })])).toEqual(['error ENTITY_STATE state']);
  expect(found([make, change('update', { attributes: { totl: 1, total: 'x' } })])).toEqual([
    'error ENTITY_ATTRIBUTES attributes.totl',
    'error ENTITY_ATTRIBUTES attributes.total',
  ]);
});
