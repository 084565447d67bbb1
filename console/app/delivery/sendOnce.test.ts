import { expect, test } from '@jest/globals';
import { sendOnce } from './sendOnce.ts';

/** Sends what a network then loses, or answers with a status, in order; the keys under which it went. */
function network(...outcomes: (number | 'lost')[]) {
  const keys: (string | null)[] = [];
  const send = async (_: RequestInfo | URL, request?: RequestInit) => {
    const outcome = outcomes[keys.push(new Headers(request?.headers).get('idempotency-key')) - 1];
    if (typeof outcome !== 'number') throw new TypeError('Failed to fetch');
    return new Response(null, { status: outcome });
  };
  const post = (address: string, body: string, key: string) =>
    sendOnce(address, { method: 'POST', body, headers: { 'idempotency-key': key } }, send).then(
      ({ status }) => status,
      () => 'lost',
    );
  return { post, keys };
}

test('a write that nobody answered goes again under its first key, until it is answered', async () => {
  const { post, keys } = network('lost', 503, 201, 201);
  const said = [];
  for (const key of ['a', 'b', 'c', 'd']) said.push(await post('/api/queues', '{"name":"Returns"}', key));
  expect(said).toEqual(['lost', 503, 201, 201]);
  expect(keys).toEqual(['a', 'a', 'a', 'd']);
});

test('another body, and the same one after another was answered, have keys of their own', async () => {
  const { post, keys } = network('lost', 200, 200);
  await post('/api/objects/1/state', '{"state":"approved"}', 'a');
  await post('/api/objects/1/state', '{"state":"draft"}', 'b');
  await post('/api/objects/1/state', '{"state":"approved"}', 'c');
  expect(keys).toEqual(['a', 'b', 'c']);
});

test('a check beside it, which writes nothing, leaves a write its key', async () => {
  const { post, keys } = network('lost', 200, 200);
  await post('/api/objects/import', '{"rows":[],"dryRun":false}', 'a');
  await post('/api/objects/import', '{"rows":[],"dryRun":true}', 'b');
  await post('/api/objects/import', '{"rows":[],"dryRun":false}', 'c');
  expect(keys).toEqual(['a', 'b', 'a']);
});
