// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { parametersOf, readOpenApi, routesOf } from '../../api/openapi.ts';
import { partsOf } from '../setup/api/errorPlaces.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { action, control, edges, manual, question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

/** `api` checks that each error path follows openapi.yaml and is in the request (test/setup/api/errorPlaces.ts). */
const home = await makeHome();
const call = home.api;
const document = readOpenApi();
const routes = routesOf(document).filter(
  ({ operationId }) => !['streamExecution', 'streamWorkspace'].includes(operationId),
);
const workflowId = await home.deploy({
  trigger: manual({ key: 'n-1', label: 'N', type: 'number', required: true }),
  nodes: [question('ask'), control('is', 'condition', { condition: '{{ true }}' })],
});
const executionId = await home.execute(workflowId, { 'n-1': 1 });
await home.asked(executionId, 'ask');
const IDS: Record<string, string> = {
  projectId: home.projectId,
  workflowId,
  executionId,
  nodeId: 'is',
  appId: 'http',
  connectionId: 'basic',
};

const ODD = { 'x y': [{ 'a"b': 1 }], '0': 1, '': [], __proto__x: null };

/** Yields variants of the body with one error: a missing member, one of another type, or an unknown additional one. */
function* broken(body: unknown): Generator<unknown> {
  yield 7;
  yield [];
  yield ODD;
  for (const place of placesIn(body)) {
    yield changed(body, place, () => undefined);
    yield changed(body, place, () => ODD);
    yield changed(body, place, () => [ODD, 'x']);
    yield changed(body, place, () => '{{ 1 + }}');
    yield changed(body, place, (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, ...ODD } : -0.5,
    );
  }
}

function placesIn(value: unknown, place: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [place];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(place.length > 0 ? [place] : []), ...entries.flatMap(([key, each]) => placesIn(each, [...place, key]))];
}

function changed(
  body: unknown,
  [key, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(body);
  const copy = structuredClone(body) as Record<string | number, unknown>;
  copy[key] = changed(copy[key], rest, change);
  return copy;
}

const seen = new Map<string, number>();

async function tried(method: string, path: string, body?: unknown): Promise<void> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? randomUUID());
  const answer = await call(method.toUpperCase(), filled, body === undefined ? {} : { body });
  expect([filled, answer.status < 500 || answer.body.code]).toEqual([filled, true]);
  for (const { path: place } of answer.body?.errors ?? []) seen.set(place, (seen.get(place) ?? 0) + 1);
}

const GRAPH = {
  slug: 'places',
  trigger: { id: 'trigger', type: 'webhook', config: { respond: 'immediately', hmac: { secret: 'x' } } },
  nodes: [
    action('set', 'core.set', { values: { 'x y': '{{ trigger.body.a }}', list: ['{{ trigger.body.b }}'] } }),
    control('way', 'switch', { cases: [{ name: 'a', when: '{{ true }}' }] }),
    question('ask', { fields: [{ key: 'a', label: 'A', type: 'select', options: [{ value: 'v', label: 'V' }] }] }),
    control('each', 'forEach', { items: [1] }),
    action(
      'in',
      'http.request',
      { method: 'GET', url: 'http://a.example', headers: { 'x y': '1' } },
      { parentId: 'each' },
    ),
    control('out', 'respond', { status: 200, headers: { 'X-A': 'b' } }),
  ],
  edges: edges('set>way', 'way:a>ask', 'ask>each', 'each>out'),
  output: { a: '{{ steps.set.output }}' },
};

test.each(routes.filter(({ hasBody, takesRawBody }) => hasBody && !takesRawBody))(
  '$method $path: each mistake in a body is reported at its place',
  async ({ method, path }) => {
    const example = exampleBody(document.paths[path]?.[method]);
    for (const body of broken(example)) await tried(method, path, body);
  },
  120_000,
);

test('reports each mistake of a graph, a form or the fields of a trigger at its place', async () => {
  for (const body of broken(GRAPH)) {
    await tried('post', '/api/projects/{projectId}/workflows/upsert', body);
    await tried('post', '/api/workflows/validate', body);
  }
  for (const body of broken({ inputData: { 'n-1': 1 } }))
    await tried('post', '/api/executions/workflows/{workflowId}/execute', body);
  for (const body of broken({ answer: 'x' }))
    await tried('post', `/api/webhooks/executions/${executionId}/nodes/ask/input`, body);
  for (const place of [
    'nodes[0].inputs.values["x y"]',
    'trigger.config.hmac.secret',
    'inputData["n-1"]',
    'edges[0].source',
  ])
    expect([place, [...seen.keys()].includes(place.replace('["n-1"]', '.n-1'))]).toEqual([place, true]);
}, 120_000);

test('a mistake in a query parameter is reported with its name', async () => {
  for (const { method, path } of routes) {
    const operation = document.paths[path]?.[method];
    if (!operation) continue;
    for (const { name, in: where } of parametersOf(document, operation)) {
      if (where !== 'query') continue;
      for (const value of ['', '-1', 'x:y,z', '%00', '{}'])
        await tried(method, `${path}?${name}=${encodeURIComponent(value)}`);
    }
    if (method === 'get') await tried(method, `${path}?nobody-knows=1`);
  }
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['expansion', 'filterBy', 'cursor', 'limit', 'nobody-knows']),
  );
}, 120_000);

test('writes all places in one notation', () => {
  expect(partsOf('nodes[0].inputs["x \\"y"].a-b')).toEqual(['nodes', 0, 'inputs', 'x "y', 'a-b']);
  expect(partsOf('')).toEqual([]);
  expect(() => partsOf('a.0')).toThrow('is no place');
});
