import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { importedPiece } from '../setup/stack/importedPiece.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const json = { 'content-type': 'application/json' };

async function runOf({ run }: Home, what: string, inputs: object) {
  const ended = await run({
    ...{ nodes: [action('a', what, inputs as never)], edges: chain('trigger', 'a') },
    output: '{{ steps.a.output }}',
  });
  return { ...ended, step: ended.executionPath.find(({ nodeId }: { nodeId: string }) => nodeId === 'a') };
}

test('Mastodon (framework 0.4, axios): a post, and a failure with its status that is retried', async () => {
  const { url, calls } = await loopback(({ body }, response) => {
    if (body.includes('too much'))
      response.writeHead(429, { ...json, 'retry-after': '7' }).end('{"error":"slow down"}');
    else response.writeHead(200, json).end('{"id":"1"}');
  });
  const home = await makeHome();
  await importedPiece(
    home,
    { slug: 'toot', package: '@activepieces/piece-mastodon@0.3.0' },
    { type: 'custom', values: { base_url: `${url}/`, access_token: 'token-very-secret' } },
  );
  const ended = await runOf(home, 'toot.post_status', { status: 'Hello' });
  expect(ended).toMatchObject({ status: 'COMPLETED', output: { status: 200, body: { id: '1' } } });
  expect(calls[0]).toMatchObject({ method: 'POST', url: '/api/v1/statuses', body: '{"status":"Hello"}' });
  expect(calls[0]?.headers.authorization).toBe('Bearer token-very-secret');

  const failed = await runOf(home, 'toot.post_status', { status: 'too much' });
  expect(failed.step).toMatchObject({
    status: 'FAILED',
    error: { code: 'HTTP_STATUS', details: { status: 429, body: '{"error":"slow down"}' } },
  });
  expect(JSON.stringify(failed)).not.toContain('token-very-secret');
});
