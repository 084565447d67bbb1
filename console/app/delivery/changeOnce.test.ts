import { expect, test } from '@jest/globals';
import { sendOnce } from './sendOnce.ts';

/** One thing that is read and changed; `loses` says of each change, in order, whether its answer is lost once it is made. */
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
  /** By another page, which knows nothing of this one. */
  const elsewhere = (change: object) => {
    stands = { ...stands, ...change };
    version += 1;
  };
  return { patch, made, elsewhere };
}

test('a change whose answer was lost, made again, is answered by what stands there', async () => {
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
