import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { summary } from './summary.ts';

test('a text that fits stays unchanged, a longer one is cut between characters', () => {
  expect(summary('Fetch order')).toBe('Fetch order');
  expect(summary('a'.repeat(398))).toBe('a'.repeat(398));
  expect(summary('a'.repeat(399))).toBe(`${'a'.repeat(395)}…`);
  expect(summary('日'.repeat(200))).toBe(`${'日'.repeat(131)}…`);
});

test('never over 400 bytes, always the beginning of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
      const cut = summary(text);
      expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(400);
      expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
    }),
  );
});
