import { expect, test } from '@jest/globals';
import { sendOnce } from './sendOnce.ts';

/** A network that gives these outcomes in order; `keys` are the Idempotency-Keys it received. */
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

test('a check in between, which writes nothing, does not change the key of a write', async () => {
  const { post, keys } = network('lost', 200, 200);
  await post('/api/objects/import', '{"rows":[],"dryRun":false}', 'a');
  await post('/api/objects/import', '{"rows":[],"dryRun":true}', 'b');
  await post('/api/objects/import', '{"rows":[],"dryRun":false}', 'c');
  expect(keys).toEqual(['a', 'b', 'a']);
});

/** A resource behind GET and PATCH. `loses`: for each change, whether its answer is lost after the change is made. */
function thing(...loses: boolean[]) {
  let stands: Record<string, unknown> = { name: 'Returns', limit: 5 };
  let version = 1;
  const made: string[] = [];
  const send = async (_: RequestInfo | URL, request: RequestInit = {}): Promise<Response> => {
    if (request.method === 'GET') return Response.json(stands);
    if (new Headers(request.headers).get('if-match') !== `"${version}"`) return Response.json({}, { status: 412 });
    stands = { ...stands, ...JSON.parse(String(request.body)) };
    version += 1;
    made.push(String(request.body));
    if (loses.shift() === true) throw new TypeError('Failed to fetch');
    return Response.json(stands);
  };
  const patch = (body: object, seen: number) =>
    sendOnce(
      '/api/queues/1',
      { method: 'PATCH', body: JSON.stringify(body), headers: { 'if-match': `"${seen}"` } },
      send,
    ).then(
      async (answer) => ({ status: answer.status, body: await answer.json() }),
      () => 'lost',
    );
  const elsewhere = (change: object) => {
    stands = { ...stands, ...change };
    version += 1;
  };
  return { patch, made, elsewhere };
}

test('a change that is repeated after a lost answer returns the stored state', async () => {
  const { patch, made } = thing(true);
  expect(await patch({ limit: 9 }, 1)).toBe('lost');
  expect(await patch({ limit: 9 }, 1)).toEqual({ status: 200, body: { name: 'Returns', limit: 9 } });
  expect(made).toEqual(['{"limit":9}']);
});

test('a change that somebody undid meanwhile is not taken for made', async () => {
  const { patch, elsewhere } = thing(true);
  expect(await patch({ limit: 9, name: 'Refunds' }, 1)).toBe('lost');
  elsewhere({ name: 'Returns' });
  expect(await patch({ limit: 9, name: 'Refunds' }, 1)).toMatchObject({ status: 412 });
});

test('a change that was never lost is refused, also where somebody else has made the same', async () => {
  const { patch, elsewhere } = thing();
  elsewhere({ limit: 9 });
  expect(await patch({ limit: 9 }, 1)).toMatchObject({ status: 412 });
});
