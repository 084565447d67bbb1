import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['a NUL character', '{"code":"NO","detail":"a\\u0000b","details":{"a":"x\\u0000"}}'],
  ['half of a surrogate pair', '{"code":"NO","details":{"a\\ud800":"\\udc00"}}'],
  ['many levels', `{"code":"NO","details":{"a":${nested(60_000)}}}`],
  ['many bytes', `{"code":"NO","details":{"a":"${'x'.repeat(4_000_000)}"}}`],
])('details of a failure with %s do not keep the step from failing', async (_, body) => {
  const home = await makeHome();
  const { url } = await loopback((_call, response) => response.writeHead(400).end(body));
  const app = { slug: 'hostile', runs: { on: 'http', baseUrl: url }, actions: [{ actionId: 'act' }] };
  expect(await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: app })).toMatchObject({
    status: 200,
  });
  const ended = await home.run({ nodes: [action('a', 'hostile.act')] });
  expect(ended.executionPath).toMatchObject([{ status: 'FAILED', error: { code: 'NO' } }]);
  expect(JSON.stringify(ended).length).toBeLessThan(100_000);
});
