import { expect, test } from '@jest/globals';
import { wholeEvents } from './wholeEvents.ts';

async function given(pieces: readonly string[]): Promise<string[]> {
  const stream = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))).pipeThrough(wholeEvents());
  const heard: string[] = [];
  for await (const piece of stream) heard.push(new TextDecoder().decode(piece));
  return heard;
}

test('pieces are held until one ends an event, even if the end is split', async () => {
  expect(await given(['data: a', 'b', 'c\n\nda', 'ta: d\n', '\n'])).toEqual(['data: abc\n\nda', 'ta: d\n\n']);
  expect(await given(['a\r\n\r', '\n', 'b\r', '\rc'])).toEqual(['a\r\n\r\n', 'b\r\rc']);
});

test('the rest is sent at the end, and nothing for nothing', async () => {
  expect(await given(['{"a":', '1}'])).toEqual(['{"a":1}']);
  expect(await given([])).toEqual([]);
});
