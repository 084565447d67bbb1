import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { loopback } from '../test/setup/providers/loopback.ts';
import { documentAt } from './documentAt.ts';

const signal = () => new AbortController().signal;

test('a document is read up to the limit, also in parts that cut a letter', async () => {
  const text = '{"openapi":"3.1.0","title":"Größe"}';
  const bytes = Buffer.from(text);
  const { url } = await loopback((_, response) => {
    const cut = bytes.indexOf(0xc3) + 1;
    response.write(bytes.subarray(0, cut));
    response.end(bytes.subarray(cut));
  });
  expect(await documentAt(url, bytes.length, signal())).toBe(text);
  await expect(documentAt(url, bytes.length - 1, signal())).rejects.toThrow(
    `${url} is larger than ${bytes.length - 1} bytes`,
  );
});

test('an endless answer without a length is left at the limit', async () => {
  let closed: Promise<unknown> | undefined;
  const { url } = await loopback((_, response) => {
    closed = once(response, 'close');
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await expect(documentAt(url, 1_000_000, signal())).rejects.toThrow('is larger than 1000000 bytes');
  await closed;
});

test('a refusal names its status', async () => {
  const { url } = await loopback((_, response) => void response.writeHead(404).end());
  await expect(documentAt(url, 10, signal())).rejects.toThrow(`${url} answered 404`);
});
