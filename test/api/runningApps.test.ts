import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';

const json = { 'content-type': 'application/json' };

async function makeApps() {
  const home = await makeHome();
  const upsert = (body: object) => home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body });
  return { ...home, upsert };
}

test('an execution keeps the version of an app with which its workflow was saved; the next save takes the present one', async () => {
  const [before, after] = await Promise.all(
    ['before', 'after'].map((version) =>
      loopback((_, response) => response.writeHead(200, json).end(JSON.stringify({ output: version }))),
    ),
  );
  const home = await makeApps();
  const app = (baseUrl = '') => ({ slug: 'shop', runs: { on: 'http', baseUrl }, actions: [{ actionId: 'order' }] });
  await home.upsert(app(before?.url));
  const definition = {
    slug: 'w',
    nodes: [question('ask', {}), action('order', 'shop.order')],
    edges: chain('ask', 'order'),
  };
  const executionId = await home.execute(await home.deploy(definition));
  await home.asked(executionId, 'ask');
  const changed = await home.upsert(app(after?.url));
  expect(changed.status).toBe(200);
  // The workflow is saved again while the execution runs.
  const workflowId = await home.deploy(definition);
  await home.submit(executionId, 'ask', { answer: 'go' }, undefined, home.api);
  expect(stepOf(await home.ended(executionId), 'order').output).toBe('before');
  const next = await home.execute(workflowId);
  await home.asked(next, 'ask');
  await home.submit(next, 'ask', { answer: 'go' }, undefined, home.api);
  expect(stepOf(await home.ended(next), 'order').output).toBe('after');
});

test('secrets of an app are masked in the outputs and errors of its steps', async () => {
  const [apiKey, pin] = ['key-of-the-shop-4711', 'pin-0815-of-ada'];
  const { url } = await loopback(({ body, url: path }, response) => {
    const { inputs } = JSON.parse(body);
    if (path === '/fails') {
      const problem = { code: 'NO_ORDER', detail: `no order with ${inputs.pin}`, details: { pin: inputs.pin } };
      return response.writeHead(422, json).end(JSON.stringify(problem));
    }
    return response.writeHead(200, json).end(JSON.stringify({ output: { said: `${inputs.pin} ${apiKey}` } }));
  });
  const home = await makeApps();
  const key = { connectionId: 'key', type: 'apiKey', fields: [{ key: 'apiKey', type: 'secret', required: true }] };
  const inputConfig = { fields: [{ key: 'pin', label: 'PIN', type: 'secret', required: true }] };
  const actions = ['order', 'fails'].map((actionId) => ({ actionId, inputConfig, requiresConnection: true }));
  await home.upsert({ slug: 'shop', runs: { on: 'http', baseUrl: url }, connectionTypes: [key], actions });
  const path = '/api/workflow-apps/shop/connections/key/connect';
  expect((await home.api('POST', path, { body: { credentials: { apiKey } } })).status).toBeLessThan(300);
  const variable = await home.api('POST', '/api/variables', { body: { name: 'PIN', value: pin, isSecret: true } });
  expect(variable.status).toBeLessThan(300);
  const given = { pin: '{{ variables.PIN }}' };
  const ended = await home.run({
    nodes: [action('order', 'shop.order', given), action('fails', 'shop.fails', given, { onError: 'continue' })],
    edges: chain('order', 'fails'),
  });
  expect(stepOf(ended, 'order').output).toEqual({ said: '*** ***' });
  expect(stepOf(ended, 'fails').error).toMatchObject({ code: 'NO_ORDER', message: 'no order with ***' });
  for (const secret of [apiKey, pin]) expect(JSON.stringify(ended)).not.toContain(secret);
});
