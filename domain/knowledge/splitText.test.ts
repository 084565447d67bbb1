import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitText } from './chunk.ts';

const words = (text: string) => text.match(/\S+/g)?.length ?? 0;
const split = (text: string, chunkSize: number, chunkOverlap = 0) =>
  splitText(text, { chunkSize, chunkOverlap }, words);
const texts = (text: string, chunkSize: number, chunkOverlap = 0) =>
  split(text, chunkSize, chunkOverlap).map((chunk) => chunk.text);

describe('where chunks end', () => {
  test('a text that fits is one', () => {
    expect(split(' One. Two. \n', 10)).toEqual([{ text: 'One. Two.', tokens: 2 }]);
    expect(split(' \n ', 10)).toEqual([]);
  });

  test('at a paragraph, if one ends in the second half', () => {
    expect(texts('A a a. B b b.\n\nC c c. D d d. E e e.', 8)).toEqual(['A a a. B b b.', 'C c c. D d d.', 'E e e.']);
  });

  test('at a sentence, if none does', () => {
    expect(texts('A a.\n\nB b b. C c c. D d d. E e e.', 9)).toEqual(['A a.\n\nB b b. C c c.', 'D d d. E e e.']);
  });

  test('between words, if a sentence is too long', () => {
    expect(texts('a b c d e f g h', 4)).toEqual(['a b c', 'd e f', 'g h']);
  });

  test('in a word that is too long', () => {
    const chunks = splitText('😀'.repeat(50), { chunkSize: 10, chunkOverlap: 0 }, (text) => text.length);
    expect(chunks.map(({ text }) => text).join('')).toBe('😀'.repeat(50));
    for (const { text, tokens } of chunks) expect([/\p{Cs}/u.test(text), tokens <= 10]).toEqual([false, true]);
  });
});

test('the last sentences of a chunk begin the next one', () => {
  expect(texts('A a. B b. C c. D d. E e.', 6, 2)).toEqual(['A a. B b. C c.', 'C c. D d. E e.']);
  expect(texts('A a a. B b b. C c c.', 6, 2)).toEqual(['A a a. B b b.', 'C c c.']);
});

const prose = fc
  .array(fc.constantFrom('Word', 'of', 'it.', 'End!', '\n\n', '\n', 'длинный', '語言。', 'x'.repeat(40)), {
    maxLength: 200,
  })
  .map((parts) => parts.map((part, index) => (part.trim() === '' ? part : `#${index}${part}`)).join(' '));

test('property: chunks have at most their size, and hold every word in its order', () => {
  fc.assert(
    fc.property(prose, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 15 }), (text, chunkSize, half) => {
      const chunks = split(text, chunkSize, Math.min(half, Math.floor(chunkSize / 2)));
      for (const chunk of chunks) {
        expect(chunk.tokens).toBeLessThanOrEqual(chunkSize);
        expect(chunk.text).not.toBe('');
        expect(text).toContain(chunk.text);
      }
      let from = 0;
      let covered = 0;
      for (const chunk of chunks) {
        const at = text.indexOf(chunk.text, from);
        expect(at).toBeGreaterThanOrEqual(from);
        expect(text.slice(covered, Math.max(covered, at)).trim()).toBe('');
        from = at;
        covered = Math.max(covered, at + chunk.text.length);
      }
      expect(text.slice(covered).trim()).toBe('');
    }),
  );
});

test('any text of 10 MiB takes seconds', () => {
  const count = (text: string) => Math.ceil(text.length / 4);
  for (const text of ['x', 'word ', 'A sentence. ', 'A paragraph.\n\n'].map((each) =>
    each.repeat(1_048_576 / each.length),
  )) {
    const before = performance.now();
    const chunks = splitText(text, { chunkSize: 800, chunkOverlap: 100 }, count);
    expect(chunks.length).toBeGreaterThan(300);
    expect(performance.now() - before).toBeLessThan(20_000);
  }
}, 120_000);
