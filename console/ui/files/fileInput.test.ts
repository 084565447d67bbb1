import { expect, test } from '@jest/globals';
import { fileText } from './fileInput.ts';

const bytesOf = (...bytes: number[]) => new Uint8Array(bytes).buffer;

test('UTF-8, and UTF-16 by its mark, are texts; what another encoding wrote is none', () => {
  expect(fileText(bytesOf(0xc3, 0xbc))).toBe('ü');
  expect(fileText(bytesOf(0xff, 0xfe, 0xfc, 0))).toBe('ü');
  expect(fileText(bytesOf(0xfe, 0xff, 0, 0xfc))).toBe('ü');
  expect(fileText(bytesOf(0x4d, 0xfc))).toBeUndefined();
});
