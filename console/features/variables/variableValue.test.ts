import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asKind, readValue, VALUE_KINDS, type WrittenValue, writtenValue } from './variableValue.ts';

test('any value of JSON is written by its kind, and read as what it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const written = writtenValue(value);
      const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
      // JSON has no negative zero.
      expect(readValue(written)).toEqual(isLarge ? { problem: 'large' } : { value: JSON.parse(JSON.stringify(value)) });
    }),
  );
});

test.each([
  [{ kind: 'number', text: ' 4.5 ' }, { value: 4.5 }],
  [{ kind: 'number', text: '1e3' }, { value: 1_000 }],
  [{ kind: 'number', text: 'many' }, { problem: 'number' }],
  [{ kind: 'number', text: '' }, { problem: 'number' }],
  [{ kind: 'number', text: '0x10' }, { problem: 'number' }],
  [{ kind: 'number', text: '9007199254740993' }, { problem: 'large' }],
  [{ kind: 'boolean', text: 'false' }, { value: false }],
  [{ kind: 'text', text: '42' }, { value: '42' }],
] as [WrittenValue, object][])('%j is %j', (written, read) => expect(readValue(written)).toEqual(read));

test('another kind takes over what it can hold', () => {
  const kinds = (written: WrittenValue) => VALUE_KINDS.map((kind) => asKind(written, kind).text);
  expect(kinds({ kind: 'text', text: '42' })).toEqual(['42', '42', 'false', '"42"']);
  expect(kinds({ kind: 'text', text: 'true' })).toEqual(['true', '', 'true', '"true"']);
  expect(kinds({ kind: 'number', text: '7' })).toEqual(['7', '7', 'false', '7']);
  expect(kinds({ kind: 'boolean', text: 'true' })).toEqual(['true', '', 'true', 'true']);
  expect(kinds({ kind: 'json', text: '{"a": 1}' })).toEqual(['{"a":1}', '', 'false', '{"a": 1}']);
  // Incomplete JSON is not lost.
  expect(kinds({ kind: 'json', text: '{"a": ' })).toEqual(['{"a": ', '', 'false', '{"a": ']);
});
