import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { readBytes, TooLarge } from './responseBody.ts';

const PIECES = 1_500_000;

it('stores an answer in pieces of one byte as bytes, not as pieces', async () => {
  let heldBytes = 0;
  const before = process.memoryUsage();
  function* pieces() {
    for (let sent = 0; sent < PIECES; sent += 1) yield Buffer.from(sent % 2 === 0 ? 'a' : 'b');
    const now = process.memoryUsage();
    heldBytes = now.heapUsed + now.external - before.heapUsed - before.external;
  }
  const bytes = await readBytes(Readable.from(pieces(), { objectMode: false }), '', PIECES);
  expect(bytes.toString()).toBe('ab'.repeat(PIECES / 2));
  expect(heldBytes).toBeLessThan(100_000_000);
});

it('ends at the limit, or is cut there', async () => {
  const body = () => Readable.from([Buffer.alloc(20_000, 'a'), Buffer.alloc(20_000, 'b')], { objectMode: false });
  expect((await readBytes(body(), '', 40_000)).toString()).toBe('a'.repeat(20_000) + 'b'.repeat(20_000));
  await expect(readBytes(body(), '', 39_999)).rejects.toThrow(TooLarge);
  expect((await readBytes(body(), '', 20_001, 'cut')).toString()).toBe(`${'a'.repeat(20_000)}b`);
});
