import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { drainOf } from './drain.ts';

test('answers requests and closes connections without one', async () => {
  let answer: ((response: ServerResponse) => void) | undefined;
  const asked = new Promise<ServerResponse>((resolve) => {
    answer = resolve;
  });
  const server = createServer((_, response) => answer?.(response));
  const drain = drainOf(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const silentEnds = once(silent, 'close');
  const text = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  const response = await asked;

  // Longer than this test may take.
  const drained = drain(600_000);
  await silentEnds;
  response.end('answered');
  await drained;
  expect(await text).toBe('answered');
});
