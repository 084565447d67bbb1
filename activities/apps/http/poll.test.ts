import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import { loopback } from '../../../test/setup/providers/loopback.ts';
import { buildHttpPoll } from './poll.ts';
import { buildRequest } from './request.ts';

const poller = buildHttpPoll(buildRequest({ allowedPrivateHosts: ['127.0.0.1'], maxResponseBytes: 1_000 }));
const signal = new AbortController().signal;

async function look(body: unknown, inputs: JsonObject = {}) {
  const server = await loopback(
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );
  const connection = { type: 'apiKey', credentials: { apiKey: 'k', allowedHosts: '127.0.0.1' } };
  const result = await poller({
    inputs: { url: server.url, idPath: 'id', ...inputs },
    connection,
    cursor: null,
    workspaceId: 'w',
    startWith: 'new',
    signal,
  });
  return { result, server };
}

test('the list by its path, entries by theirs, with connection and headers', async () => {
  const body = { data: { orders: [{ meta: { no: 7 } }, { meta: { no: 'b' } }] } };
  const inputs = { itemsPath: 'data.orders', idPath: 'meta.no', headers: { 'x-own': '1' } };
  const { result, server } = await look(body, inputs);
  expect(result).toMatchObject({
    ok: true,
    items: [
      { key: '7', item: { meta: { no: 7 } } },
      { key: 'b', item: { meta: { no: 'b' } } },
    ],
  });
  expect(server.calls[0]?.headers).toMatchObject({ authorization: 'Bearer k', 'x-own': '1' });
});

test.each([
  [{ a: 1 }, {}, 'Expected a list as the answer.'],
  [{ a: 1 }, { itemsPath: 'b.c' }, 'Expected a list as "b.c" of the answer.'],
  [[{ id: 1 }, { no: 2 }], {}, 'Entry 1 of the answer has no text or number at "id".'],
  [[{ id: '' }], {}, 'Entry 0 of the answer has no text or number at "id".'],
  [[{ id: { a: 1 } }], {}, 'Entry 0 of the answer has no text or number at "id".'],
])('%j with %j: %s', async (body, inputs, message) => {
  expect((await look(body, inputs)).result).toMatchObject({ ok: false, failure: { message } });
});

test('a private host that is not allowed is not reached', async () => {
  const guarded = buildHttpPoll(buildRequest({ allowedPrivateHosts: [], maxResponseBytes: 1_000 }));
  const server = await loopback();
  const result = await guarded({
    inputs: { url: server.url, idPath: 'id' },
    cursor: null,
    workspaceId: 'w',
    startWith: 'new' as const,
    signal,
  });
  expect(result.ok).toBe(false);
  expect(server.calls).toEqual([]);
});
