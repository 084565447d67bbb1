import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StateSchema } from '../../../domain/object/stateSchema.ts';
import {
  ATTRIBUTE_KINDS,
  attributeKind,
  attributeRows,
  optionsIn,
  withAttributes,
  withKind,
  withOptions,
} from './attributeRows.ts';
import { freshMove, readStates, withStates } from './stateForm.ts';

const schemaOfOne = fc.oneof(
  fc.constantFrom<Record<string, unknown>>(
    { type: 'string', title: 'Name', pattern: '^a' },
    { enum: ['a', 'b'], default: 'a' },
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    { type: 'array', items: { type: 'string', enum: ['x'] }, uniqueItems: true },
    { type: 'object', properties: { street: { type: 'string' } } },
    { $ref: '#/$defs/money' },
    {},
  ),
  fc.dictionary(fc.constantFrom('type', 'title', 'x-own', 'minimum'), fc.constantFrom('string', 1, null)),
);
const schema = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), schemaOfOne),
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'not-there')),
    additionalProperties: fc.boolean(),
    $defs: fc.constant({ money: { type: 'number' } }),
    dependentRequired: fc.constant({ a: ['b'] }),
  },
  { requiredKeys: [] },
);

describe('attributes', () => {
  test('rows and back lose nothing, in the same order', () => {
    fc.assert(
      fc.property(schema, (given) => {
        const rows = attributeRows(given);
        const back = withAttributes(given, rows ?? []);
        expect(back).toEqual(given);
        expect(Object.keys((back.properties ?? {}) as object)).toEqual(Object.keys(given.properties ?? {}));
      }),
    );
  });

  test('a changed row changes its attribute alone', () => {
    fc.assert(
      fc.property(schema, fc.nat(), (given, at) => {
        const rows = attributeRows(given) ?? [];
        fc.pre(rows.length > 0);
        const index = at % rows.length;
        const row = rows[index] as (typeof rows)[number];
        const next = withAttributes(
          given,
          rows.map((one) => (one === row ? { ...row, schema: { ...row.schema, title: 'Other' } } : one)),
        );
        const properties = { ...given.properties, [row.key]: { ...row.schema, title: 'Other' } };
        expect(next).toEqual({ ...given, properties });
      }),
    );
  });

  test.each(ATTRIBUTE_KINDS)('an attribute becomes %s and keeps its name and help', (kind) => {
    const before = { type: 'string', title: 'Kind', description: 'Why', enum: ['a'], 'x-own': 1 };
    const after = withKind(before, kind);
    expect(attributeKind(after)).toBe(kind);
    expect(after).toMatchObject({ title: 'Kind', description: 'Why' });
    expect(after).not.toHaveProperty('x-own');
    expect(optionsIn(after)).toEqual(kind === 'select' || kind === 'multiSelect' ? ['a'] : []);
  });

  test.each([
    [{ type: ['string', 'null'] }],
    [{ $ref: '#/$defs/a' }],
    [{ type: 'object' }],
    [{ enum: [1, 2] }],
    [{ type: 'string', format: 'uri' }],
    [{ type: 'array', items: { type: 'number' } }],
  ])('only JSON shows %j', (given) => {
    expect(attributeKind(given)).toBeUndefined();
    expect(withOptions(given, ['a'])).toEqual('enum' in given ? { enum: ['a'] } : given);
  });

  test('a required attribute is added to the list, and a removed one leaves it', () => {
    const given = { type: 'object', required: ['b', 'elsewhere'], properties: { a: {}, b: {} } };
    const [a, b] = attributeRows(given) ?? [];
    const added = { key: 'c', required: true, schema: { type: 'number' } };
    expect(
      withAttributes(
        given,
        [a, b, added].filter((row) => row !== undefined),
      ).required,
    ).toEqual(['b', 'elsewhere', 'c']);
    expect(withAttributes(given, [added])).toEqual({
      ...{ type: 'object', required: ['elsewhere', 'c'] },
      properties: { c: { type: 'number' } },
    });
  });
});

describe('states', () => {
  const states: StateSchema = {
    initial: 'draft',
    states: [
      { id: 'draft', color: 'red' },
      { id: 'done', final: true },
    ],
    transitions: [
      { id: 'own', from: 'draft', to: 'done', requiresReason: true },
      { from: '*', to: 'draft' },
    ],
  };

  test('a renamed state keeps its moves and stays the first', () => {
    const next = withStates(states, [
      { id: 'open', color: 'red' },
      { id: 'done', final: true },
    ]);
    expect(next).toEqual({
      initial: 'open',
      states: [
        { id: 'open', color: 'red' },
        { id: 'done', final: true },
      ],
      transitions: [
        { id: 'own', from: 'open', to: 'done', requiresReason: true },
        { from: '*', to: 'open' },
      ],
    });
  });

  test('a removed state takes its moves with it; states in another order change nothing else', () => {
    expect(withStates(states, [{ id: 'draft' }]).transitions).toEqual([{ from: '*', to: 'draft' }]);
    const swapped = withStates(states, [...states.states].reverse());
    expect(swapped).toEqual({ ...states, states: [...states.states].reverse() });
  });

  test('a new move is one that is not there', () => {
    expect(freshMove(states)).toEqual({ from: 'done', to: 'draft' });
  });

  test.each([[{ initial: 'a' }], [{ initial: 'a', states: ['a'] }], [[]], ['a']])('only JSON shows %j', (given) => {
    expect(readStates(given)).toBeUndefined();
  });
});
