import { expect, test } from '@jest/globals';
import { MAX_NAME_LENGTH, nameIn, namingMessages } from './taskName.ts';

test.each([
  ['Damaged lamp', 'Damaged lamp'],
  ['\n  "Damaged lamp"\nBecause it is about one.', 'Damaged lamp'],
  ['„Kaputte Lampe“', 'Kaputte Lampe'],
  [' \n"" ', undefined],
  ['', undefined],
  ['x'.repeat(500), 'x'.repeat(MAX_NAME_LENGTH)],
  [`${'x'.repeat(MAX_NAME_LENGTH - 1)}😀`, 'x'.repeat(MAX_NAME_LENGTH - 1)],
  ['a\0b', 'a\ufffdb'],
])('of %j', (answer, name) => {
  expect(nameIn(answer)).toBe(name);
});

test('only the beginning of the conversation is sent, as one text after the instructions', () => {
  const long = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'a'.repeat(10_000) }] };
  const [system, user] = namingMessages('Use three words.', [long]);
  expect(system?.content).toContain('Use three words.');
  expect(String(user?.content).length).toBeLessThan(4_200);
});
