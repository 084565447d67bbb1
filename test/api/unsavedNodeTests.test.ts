import { beforeAll, expect, test } from '@jest/globals';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, manual, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const run = (body: object, call = home.api) => call('POST', '/api/workflows/nodes/test', { body });
const pathsOf = ({ body }: Awaited<ReturnType<typeof run>>) =>
  body.errors.map(({ path }: { path: string }) => path).sort();

const broken = action('broken', 'core.transform', { value: '{{ 1 + }}' });
const sum = action('sum', 'core.transform', { value: '{{ steps.fetch.output.total + trigger.n }}' });
const definition = {
  trigger: manual({ key: 'n', label: 'N', type: 'number', required: true }),
  nodes: [action('fetch', 'core.set', { values: {} }), sum, broken],
  edges: chain('fetch', 'sum', 'broken'),
};

test('a node that was never saved runs with the given values, whatever the other nodes are like; nothing is stored', async () => {
  const { status, body } = await run({ definition, nodeId: 'sum', trigger: { n: 2 }, steps: { fetch: { total: 40 } } });
  expect([status, body]).toEqual([200, { status: 'COMPLETED', output: 42, durationMs: expect.any(Number) }]);
  const inputs = { value: '{{ trigger.n * 2 }}' };
  expect((await run({ definition, nodeId: 'broken', inputs, trigger: { n: 4 } })).body).toMatchObject({ output: 8 });
  const failed = await run({ definition, nodeId: 'sum', trigger: { n: 2 }, steps: { fetch: {} } });
  expect(failed).toMatchObject({ status: 200, body: { status: 'FAILED', error: { code: 'EXPRESSION_FAILED' } } });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
  expect((await home.api('GET', '/api/workflows')).body).toEqual([]);
  expect(await stackDatabase().nodeTest.count({ where: { workspaceId: home.workspaceId } })).toBe(0);
});

test('errors of the node and of the trigger are 400 at their places', async () => {
  expect(pathsOf(await run({ definition, nodeId: 'broken' }))).toEqual(['definition.nodes[2].inputs.value']);
  expect(pathsOf(await run({ definition, nodeId: 'sum', inputs: { value: '{{ 1 + }}' } }))).toEqual(['inputs.value']);
  expect(pathsOf(await run({ definition, nodeId: 'nobody' }))).toEqual(['nodeId']);
  expect(pathsOf(await run({ definition, nodeId: 'sum', steps: { nobody: 1 } }))).toEqual(['steps.nobody']);
  const trigger = { id: 'trigger', type: 'schedule', config: { cron: 'never' } };
  expect(pathsOf(await run({ definition: { ...definition, trigger }, nodeId: 'fetch' }))).toEqual([
    'definition.trigger.config.cron',
  ]);
  expect(pathsOf(await run({ definition: {}, nodeId: 'sum' }))).toEqual(['definition.steps']);
  const asks = { nodes: [question('ask'), control('call', 'runWorkflow', { slug: 'x' })], edges: [] };
  for (const nodeId of ['ask', 'call']) expect(pathsOf(await run({ definition: asks, nodeId }))).toEqual(['nodeId']);
});

test('a step of a list can be tested, and the rest of an upsert is ignored', async () => {
  const steps = [{ appId: 'core', actionId: 'transform', inputs: { value: '{{ trigger.a }}' } }];
  const { body } = await run({ definition: { slug: 'x', name: 'X', steps }, nodeId: 'step1', trigger: { a: 'b' } });
  expect(body).toMatchObject({ status: 'COMPLETED', output: 'b' });
  const wrong = [{ ...steps[0], inputs: { value: '{{ 1 + }}' } }];
  expect(pathsOf(await run({ definition: { steps: wrong }, nodeId: 'step1' }))).toEqual([
    'definition.steps[0].inputs.value',
  ]);
});

test('it reads the variables of the project, masks what questions call secret, and needs the permissions of the node', async () => {
  const variable = { name: 'REGION', value: 'workspace' };
  await home.api('POST', '/api/variables', { body: variable });
  await home.api('POST', '/api/variables', { body: { ...variable, value: 'project', projectId: home.projectId } });
  const reads = { nodes: [action('read', 'core.transform', { value: '{{ variables.REGION }}' })], edges: [] };
  const outputOf = async (more: object) => (await run({ definition: reads, nodeId: 'read', ...more })).body.output;
  expect([await outputOf({}), await outputOf({ projectId: home.projectId })]).toEqual(['workspace', 'project']);
  const elsewhere = await makeHome();
  expect((await run({ definition: reads, nodeId: 'read', projectId: elsewhere.projectId })).status).toBe(404);

  const runner = (await keyOf(home, 'executions:run')).call;
  const refused = await run({ definition: reads, nodeId: 'read' }, runner);
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  expect((await run({ definition, nodeId: 'fetch' }, runner)).status).toBe(200);
  expect((await run({ definition, nodeId: 'fetch' }, (await keyOf(home, 'workflows:write')).call)).status).toBe(403);

  const field = { key: 'pin', label: 'Pin', type: 'secret', required: true };
  const masks = {
    nodes: [
      question('ask', { fields: [field] }),
      action('echo', 'core.transform', { value: 'pin {{ steps.ask.output.pin }}' }),
    ],
    edges: chain('ask', 'echo'),
  };
  const { body } = await run({ definition: masks, nodeId: 'echo', steps: { ask: { pin: 'a secret pin' } } });
  expect(body).toMatchObject({ status: 'COMPLETED', output: 'pin ***' });
});
