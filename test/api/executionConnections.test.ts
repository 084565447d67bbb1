import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';

const SECRET = 'open-sesame-90417';

test.each([
  ['apiKey', { allowedHosts: '127.0.0.1', apiKey: SECRET, header: 'X-Shop-Key' }, 'x-shop-key', SECRET],
  [
    'basic',
    { username: 'ann', password: SECRET, allowedHosts: ['127.0.0.1'] },
    'authorization',
    `Basic ${btoa(`ann:${SECRET}`)}`,
  ],
])('credentials of a connection (%s) reach the server and nobody else', async (type, credentials, header, expected) => {
  const home = await makeHome();
  const server = await loopback();
  const connected = await home.api('POST', `/api/workflow-apps/http/connections/${type}/connect`, {
    body: { credentials },
  });
  // Ids are case-insensitive.
  const connectionId = connected.body.id.toUpperCase();
  const execution = await home.run({
    nodes: [action('call', 'http.request', { method: 'GET', url: `${server.url}/orders` }, { connectionId })],
  });
  expect(execution.status).toBe('COMPLETED');
  expect(server.calls).toHaveLength(1);
  expect(server.calls[0]?.headers[header]).toBe(expected);
  const everything = await home.read(execution.id, 'nodes', 'edges', 'executionVariables');
  expect(JSON.stringify(everything)).not.toContain(SECRET);
  expect(stepOf(execution, 'call').input).not.toHaveProperty('connection');
});

test('a connection of another workspace cannot be named, and its server receives nothing', async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const server = await loopback();
  const theirs = await stranger.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { credentials: { apiKey: SECRET, allowedHosts: '*.example.com' } },
  });
  const nodes = [action('call', 'http.request', { method: 'GET', url: server.url }, { connectionId: theirs.body.id })];
  const upsert = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
    body: { slug: 'thief', nodes, edges: [] },
  });
  expect(upsert.status).toBe(400);
  const { id: _, type: __, ...step } = nodes[0] as object & { id: string; type: string };
  const run = await home.api('POST', '/api/runs', { body: { steps: [step] } });
  expect(run.status).toBe(400);
  expect(server.calls).toEqual([]);
});
