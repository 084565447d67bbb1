import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Prisma } from '../generated/client.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { KeyType, OrderKey } from './order.ts';

const ID = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
const SEEN = { at: '2026-11-21T10:15:30.123Z', snapshot: '100:105:100,103' };

function keyOf(type: KeyType, nullable = false): OrderKey {
  return { sql: Prisma.sql`t.x`, type, direction: 'asc', ...(nullable ? { nullable: true as const } : {}) };
}

const time = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((at) => at.toISOString());
const text = fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0'));
const values = {
  time,
  text,
  int: fc.integer().map(String),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  numeric: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }).map((each) => each.toFixed(5)),
  boolean: fc.boolean().map(String),
  uuid: fc.uuid(),
  json: fc.oneof(text, fc.integer(), fc.boolean()).map((each) => JSON.stringify(each)),
} satisfies Record<KeyType, fc.Arbitrary<string>>;

test('a cursor comes back as it was, to its own list alone', () => {
  const types = fc.array(fc.constantFrom(...(Object.keys(values) as KeyType[])), { minLength: 1, maxLength: 4 });
  const given = types.chain((of) =>
    fc.tuple(fc.constant(of), fc.tuple(...of.map((type) => values[type])), fc.boolean()),
  );
  fc.assert(
    fc.property(given, ([of, position, moves]) => {
      const keys = of.map((type) => keyOf(type));
      const cursor = { position, seen: moves ? SEEN : null, inChanged: false };
      const written = writeCursor('a list', cursor);
      expect(readCursor(written, 'a list', keys, moves)).toEqual(cursor);
      expect(readCursor(written, 'another', keys, moves)).toBeNull();
      expect(readCursor(written, 'a list', keys, !moves)).toBeNull();
      expect(readCursor(written, 'a list', [...keys, keyOf('uuid')], moves)).toBeNull();
    }),
  );
});

test.each([
  ['int', '-2147483648', '-2147483649'],
  ['int', '2147483647', '2147483648'],
  ['bigint', '-9223372036854775808', '-9223372036854775809'],
  ['bigint', '9223372036854775807', '9223372036854775808'],
] as const)('a cursor of %s takes %s and refuses %s', (type, last, beyond) => {
  const read = (value: string) => {
    const cursor = { position: [value], seen: null, inChanged: false };
    return readCursor(writeCursor('a list', cursor), 'a list', [keyOf(type)], false)?.position;
  };
  expect(read(last)).toEqual([last]);
  expect(read(beyond)).toBeUndefined();
});

test('other texts are none', () => {
  fc.assert(
    fc.property(fc.string(), (each) => {
      expect(readCursor(each, 'a list', [keyOf('text')], false)).toBeNull();
    }),
  );
});

test.each<[KeyType, unknown]>([
  ['time', '2026-02-31T00:00:00.000Z'],
  ['time', '2026-13-01T00:00:00.000Z'],
  ['time', '0000-01-01T00:00:00.000Z'],
  ['time', '+012026-01-01T00:00:00.000Z'],
  ['time', '2026-01-01'],
  ['time', 'infinity'],
  ['text', 'a\0b'],
  ['text', 'half a pair: \ud800'],
  ['text', 17],
  ['text', null],
  ['int', '2147483648'],
  ['int', '1.5'],
  ['int', ''],
  ['bigint', '9223372036854775808'],
  ['numeric', 'NaN'],
  ['numeric', '1e999999'],
  ['boolean', 'yes'],
  ['uuid', '17'],
  ['json', '1e400'],
  ['json', '"\\u0000"'],
  ['json', '['.repeat(5_000)],
  ['json', `${'['.repeat(200)}${']'.repeat(200)}`],
  ['json', 'plain'],
])('a forged %s is none: %j', (type, value) => {
  const forged = writeCursor('a list', { position: [value as string, ID], seen: null, inChanged: false });
  expect(readCursor(forged, 'a list', [keyOf(type), keyOf('uuid')], false)).toBeNull();
});

test.each([
  ['2026-11-21T10:15:30.123Z', '0:1:'],
  ['2026-11-21T10:15:30.123Z', '5:4:'],
  ['2026-11-21T10:15:30.123Z', '4:9:9'],
  ['2026-11-21T10:15:30.123Z', '4:9:7,6'],
  ['2026-11-21T10:15:30.123Z', '4:9:6,6'],
  ['2026-11-21T10:15:30.123Z', 'x'],
  ['yesterday', '4:9:6'],
])('a forged moment is none: %s %s', (at, snapshot) => {
  const forged = writeCursor('a list', { position: [ID], seen: { at, snapshot }, inChanged: true });
  expect(readCursor(forged, 'a list', [keyOf('time'), keyOf('uuid')], true)).toBeNull();
});

test('null is allowed only for a key that may be null', () => {
  const written = writeCursor('a list', { position: [null, ID], seen: null, inChanged: false });
  expect(readCursor(written, 'a list', [keyOf('text', true), keyOf('uuid')], false)?.position).toEqual([null, ID]);
  expect(readCursor(written, 'a list', [keyOf('text'), keyOf('uuid')], false)).toBeNull();
});
