import { expect, test } from '@jest/globals';
import { labelOf } from './labelOf.ts';
import { labelTexts } from './labels.ts';

test('a label is a text: numbers are written, nothing and emptiness are none, what is long is cut', () => {
  expect(labelOf('A-1042', [])).toBe('A-1042');
  expect(labelOf(42.5, [])).toBe('42.5');
  expect(labelOf({ a: 1 }, [])).toBe('{"a":1}');
  expect(labelOf(null, [])).toBeUndefined();
  expect(labelOf('  ', [])).toBeUndefined();
  expect(labelOf('x'.repeat(150), [])).toBe('x'.repeat(100));
  // Characters outside the BMP are not split.
  expect(labelOf('😀'.repeat(150), [])).toBe('😀'.repeat(100));
});

test('a secret is masked before it is cut', () => {
  const secret = 's3cret'.repeat(30);
  expect(labelOf(`id ${secret}`, [secret])).toBe('id ***');
});

test('the engine gets as many labels as it takes', () => {
  expect(labelTexts({ order: 'A-1042', customer: 'ada' })).toEqual(['order=A-1042', 'customer=ada']);
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`key${index}`, 'ä'.repeat(100)]));
  const texts = labelTexts(many);
  expect(texts.length).toBeGreaterThanOrEqual(6);
  expect(texts.length).toBeLessThan(10);
  expect(Buffer.byteLength(JSON.stringify(texts))).toBeLessThanOrEqual(2_048);
});
