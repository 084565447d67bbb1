import { expect, test } from '@jest/globals';
import { action, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

test('a workflow shows its versions: by whom, what they were, and how many run on', async () => {
  const home = await makeHome();
  const person = await home.person();
  const slug = 'orders';
  const first = { slug, trigger: webhook({ secret: 'the-hook-secret' }), nodes: [question('ask')], edges: [] };
  const upsert = `/api/projects/${home.projectId}/workflows/upsert`;
  const { body: workflow } = await home.api('POST', upsert, { body: first });
  const headers = { 'x-webhook-secret': 'the-hook-secret', 'x-api-key': home.apiKey };
  const started = await home.api('POST', `/api/webhooks/workflows/${workflow.id}`, { body: {}, headers });
  await home.asked(String(started.headers.get('x-execution-id')), 'ask');
  const nodes = [action('a', 'core.set', { values: { n: 1 } })];
  await person('POST', upsert, {
    body: { slug, nodes, edges: [], output: '{{ steps.a.output.n }}', labels: { a: 'b' } },
  });
  await home.api('POST', upsert, {
    body: { slug, nodes, edges: [], output: '{{ steps.a.output.n }}', labels: { a: 'b' } },
  });

  const place = `/api/workflows/${workflow.id}/versions`;
  const { body: versions } = await home.api('GET', place);
  const { body: me } = await person('GET', '/api/users/me');
  const createdAt = expect.stringMatching(/^\d{4}-/);
  expect(versions).toEqual([
    { version: 2, createdAt, createdBy: { type: 'user', id: me.id, name: me.name }, openExecutions: 0 },
    {
      ...{ version: 1, createdAt, openExecutions: 1 },
      createdBy: { type: 'apiKey', id: expect.any(String), name: expect.any(String) },
    },
  ]);
  const page = await home.api('GET', `${place}?limit=1`);
  expect(page.body).toHaveLength(1);
  expect(page.headers.get('link')).toContain('rel="next"');

  const one = await home.api('GET', `${place}/1`);
  expect(one.body).toMatchObject({ ...versions[1], nodes: [{ id: 'ask' }], edges: [], output: null, labels: {} });
  expect(one.body.triggerNode).toMatchObject({ type: 'webhook', config: { secret: '********' } });
  expect(JSON.stringify(one.body)).not.toContain('the-hook-secret');
  expect((await home.api('GET', `${place}/2`)).body).toMatchObject({ nodes, labels: { a: 'b' } });

  expect((await home.api('GET', `${place}/3`)).status).toBe(404);
  expect((await home.api('GET', `${place}/0`)).status).toBe(404);
  const stranger = await makeHome();
  expect((await stranger.api('GET', place)).status).toBe(404);
  expect((await stranger.api('GET', `${place}/1`)).status).toBe(404);
});
