import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Problem } from '../problem.ts';
import { ANY_STATE, type StateSchema, stateSchemaProblems } from './stateSchema.ts';
import { movesFrom, requireMove } from './transitions.ts';

const IDS = ['a', 'b', 'c', 'd'] as const;
const id = fc.constantFrom(...IDS);
const schemas: fc.Arbitrary<StateSchema> = fc
  .record({
    initial: id,
    required: fc.dictionary(id, fc.subarray(['x', 'y'])),
    transitions: fc.option(
      fc.uniqueArray(fc.record({ from: fc.constantFrom(...IDS, ANY_STATE), to: id, requiresReason: fc.boolean() }), {
        selector: ({ from, to }) => `${from} ${to}`,
      }),
      { nil: undefined },
    ),
  })
  .map(({ initial, required, transitions }) => ({
    initial,
    states: IDS.map((each) => ({ id: each, requiredFields: required[each] ?? [] })),
    ...(transitions ? { transitions } : {}),
  }));

function outcome(...given: Parameters<typeof requireMove>): string {
  try {
    requireMove(...given);
    return 'moved';
  } catch (error) {
    return (error as Problem).code;
  }
}

test('such schemas are whole', () => {
  fc.assert(fc.property(schemas, (schema) => expect(stateSchemaProblems(schema, () => true)).toEqual([])));
});

test('a move needs a transition, its reason if required, and the fields of the state', () => {
  const moves = fc.record({
    schema: schemas,
    from: fc.option(id),
    to: fc.constantFrom(...IDS, 'nowhere'),
    reason: fc.constantFrom(null, ' ', 'because'),
    has: fc.subarray(['x', 'y']),
  });
  fc.assert(
    fc.property(moves, ({ schema, from, to, reason, has }) => {
      const attributes = Object.fromEntries(has.map((name) => [name, 1]));
      const { transitions } = schema;
      const named = transitions?.find((each) => each.from === from && each.to === to);
      const fromAny = to === from ? undefined : transitions?.find((each) => each.from === ANY_STATE && each.to === to);
      const state = schema.states.find((each) => each.id === to);
      const first = from === null && to === schema.initial;
      const allowed = transitions ? Boolean(named ?? fromAny) || first : state !== undefined && to !== from;
      const needsReason = (named ?? fromAny)?.requiresReason === true;
      const missing = state?.requiredFields?.some((name) => !has.includes(name));
      const expected = !allowed
        ? 'INVALID_TRANSITION'
        : needsReason && reason !== 'because'
          ? 'REASON_REQUIRED'
          : missing
            ? 'MISSING_FIELDS'
            : 'moved';
      expect(outcome(schema, { state: from, attributes }, { to, reason })).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('the listed moves are exactly the permitted ones', () => {
  fc.assert(
    fc.property(schemas, fc.option(id), (schema, from) => {
      const listed = movesFrom(schema, from).map(({ to }) => to);
      expect(new Set(listed).size).toBe(listed.length);
      for (const to of IDS) {
        const made = outcome(schema, { state: from, attributes: { x: 1, y: 1 } }, { to, reason: 'because' });
        expect([to, made]).toEqual([to, listed.includes(to) ? 'moved' : 'INVALID_TRANSITION']);
      }
    }),
  );
});

test('without a schema nothing moves', () => {
  expect(outcome(null, { state: null, attributes: {} }, { to: 'a', reason: null })).toBe('INVALID_TRANSITION');
});

test('the error names each missing field', () => {
  const schema = { initial: 'a', states: [{ id: 'a' }, { id: 'b', requiredFields: ['x', 'y', 'z'] }] };
  try {
    requireMove(schema, { state: 'a', attributes: { y: 1, z: ' ' } }, { to: 'b', reason: null });
    throw new Error('it has moved');
  } catch (error) {
    expect((error as Problem).errors?.map(({ path }) => path)).toEqual(['attributes.x', 'attributes.z']);
  }
});
