import { expect, it } from '@jest/globals';
import { parsedDocument } from './documentText.ts';

it.each([
  ['{"openapi": "3.1.0"}', { openapi: '3.1.0' }],
  ['\ufeff{"openapi": "3.1.0"}', { openapi: '3.1.0' }],
  ['{openapi: 3.1.0}', { openapi: '3.1.0' }],
  [
    'openapi: "3.1.0"\npaths:\n  /a: &a {get: {}}\n  /b: *a',
    { openapi: '3.1.0', paths: { '/a': { get: {} }, '/b': { get: {} } } },
  ],
])('reads %j', async (text, document) => {
  expect(await parsedDocument(text)).toEqual({ document });
});

it('says where a document cannot be read', async () => {
  expect(await parsedDocument('a: 1\nb: [1, 2\nc: "x')).toMatchObject({
    problem: { message: expect.stringContaining('neither JSON nor YAML'), line: expect.any(Number) },
  });
});

it('bounds nesting, aliases and the size of YAML', async () => {
  const aliases = ['a0: &a0 [x, x]', ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)];
  for (const text of ['['.repeat(5_000), '- '.repeat(5_000), aliases.join('\n')]) {
    expect(await parsedDocument(text)).toHaveProperty('problem');
  }
  expect(await parsedDocument(`a: ${'x'.repeat(100)}`, 50)).toMatchObject({
    problem: { message: expect.stringContaining('convert the document to JSON') },
  });
  expect(await parsedDocument(`{"a": "${'x'.repeat(100)}"}`, 50)).toHaveProperty('document');
});
