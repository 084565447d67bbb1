// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { PERMISSIONS, type Permission } from '../../domain/access/permission.ts';
import type { ApiAnswer } from '../setup/api/client.ts';
import { node, sampleInputs, shownActions, type Way, waysOf } from '../setup/api/stepNeeds.ts';
import { grant, keyOf, type TestKey } from '../setup/workspace/grants.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const home = await makeHome();
// Sample inputs name this type.
await home.api('POST', '/api/object-types/upsert', { body: { slug: 'x' } });
const { projectId } = home;
const { run, runs, test: testOf, workflow, agent } = waysOf(projectId);

const keys = new Map<string, Promise<TestKey>>();
function callerWith(permissions: readonly Permission[]) {
  const name = [...new Set(permissions)].sort().join();
  const known = keys.get(name) ?? keyOf(home, ...new Set(permissions));
  keys.set(name, known);
  return known.then(({ call }) => call);
}

const named = ({ body }: ApiAnswer) =>
  (body.errors ?? []).map(
    (each: { path: string; message: string }) => `${each.path}: ${each.message.split(' ').at(-1)}`,
  );

/** Returns the problems if a case is admitted with too few permissions or rejected with all of them. */
async function wrongWith({ what, door, needs, send }: Way): Promise<string[]> {
  const wrong: string[] = [];
  const refusedFor = async (has: readonly Permission[], missing: Way['needs']) => {
    const answer = await send(await callerWith(has));
    const expected = missing.map(({ path, permission }) => `${path}: ${permission}`);
    const isRight = answer.status === 403 && answer.body.code === 'FORBIDDEN';
    if (!isRight || JSON.stringify(named(answer)) !== JSON.stringify(expected)) {
      wrong.push(`${what} with ${has}: ${answer.status} ${JSON.stringify(answer.body)}, expected ${expected}`);
    }
    const unsaid = missing.filter(({ permission }) => !String(answer.body?.detail).includes(permission));
    if (unsaid.length > 0) wrong.push(`${what}: ${answer.body?.detail}`);
  };
  const permissions = [...new Set(needs.map(({ permission }) => permission))];
  if (needs.length > 0) await refusedFor([door], needs);
  for (const each of permissions.length > 1 ? permissions : []) {
    const missing = needs.filter(({ permission }) => permission === each);
    await refusedFor([door, ...permissions.filter((other) => other !== each)], missing);
  }
  const admitted = await send(await callerWith([door, ...permissions]));
  if (admitted.status === 403 || admitted.status >= 500) {
    wrong.push(`${what} with ${[door, ...permissions]}: ${admitted.status} ${JSON.stringify(admitted.body)}`);
  }
  return wrong;
}

async function walk(ways: readonly Way[]): Promise<void> {
  const wrong: string[] = [];
  for (const way of ways) wrong.push(...(await wrongWith(way)));
  expect(wrong).toEqual([]);
}

const actions = await shownActions(home.api);

test('the catalogue has actions of every kind', () => {
  expect(actions.length).toBeGreaterThan(35);
  expect(new Set(actions.flatMap(({ permissions }) => permissions)).size).toBe(6);
});

test.each(['run', 'runs', 'node test', 'workflow', 'agent'])('every action of the catalogue: %s', async (kind) => {
  const ways = await Promise.all(
    actions.map(async (each): Promise<Way[]> => {
      const { appId, actionId, permissions, requiresConnection } = each;
      const step = { appId, actionId, inputs: sampleInputs(each) };
      const what = `${appId}.${actionId}`;
      const needsAt = (path: string): [string, Permission][] => [
        ...permissions.map((permission): [string, Permission] => [path, permission]),
        ...(requiresConnection
          ? [
              [path === '' || path === 'nodeId' ? 'connectionId' : `${path}.connectionId`, 'connections:use'] as [
                string,
                Permission,
              ],
            ]
          : []),
      ];
      if (kind === 'run') return [run(what, step, needsAt(''))];
      if (kind === 'runs') return [runs(what, step, needsAt('steps[0]'))];
      if (kind === 'workflow') {
        return [
          workflow(what, { steps: [step] }, needsAt('steps[0]')),
          workflow(
            `${what} in a graph`,
            { nodes: [action('a', 'core.set', { values: {} }), { id: 'n', type: 'action', ...step }], edges: [] },
            needsAt('nodes[1]'),
          ),
        ];
      }
      if (kind === 'agent') return [agent(what, { tools: [{ appId, actionId }] }, needsAt('tools[0]'))];
      // agent.run waits for an agent, so it cannot be tested as a single node.
      if (what === 'agent.run') return [];
      const workflowId = await home.deploy({ nodes: [action('n', what, step.inputs)] });
      return [testOf(what, { workflowId }, needsAt('nodeId'))];
    }),
  );
  await walk(ways.flat());
});

const id = randomUUID();
const setting = { appId: 'core', actionId: 'set' };
const reading = { ...setting, inputs: { values: { v: '{{ variables }}' } } };
const connected = { appId: 'http', actionId: 'request', inputs: { url: 'http://x' }, connectionId: id };

test('each kind of thing that a step reaches, by every way to run or store it', async () => {
  const workflowId = await home.deploy({ nodes: [action('n', 'core.set', { values: {} })] });
  const graph = (what: string, nodes: object[], needs: [string, Permission][], more: object = {}) =>
    workflow(what, { nodes, edges: [], ...more }, needs);
  const trigger = (type: string, config: object) => ({ steps: [], trigger: { id: 'trigger', type, config } });
  await walk([
    run('with variables', reading, [['inputs.values.v', 'variables:read']]),
    runs('with variables', reading, [['steps[0].inputs.values.v', 'variables:read']]),
    testOf('with variables', { workflowId, body: { inputs: reading.inputs } }, [['inputs.values.v', 'variables:read']]),
    workflow('with variables', { steps: [reading] }, [['steps[0].inputs.values.v', 'variables:read']]),
    run('with a connection', connected, [['connectionId', 'connections:use']]),
    runs('with a connection', connected, [['steps[0].connectionId', 'connections:use']]),
    workflow('with a connection', { steps: [connected] }, [['steps[0].connectionId', 'connections:use']]),
    graph(
      'with variables in a condition',
      [node('condition', { condition: '{{ variables.x == 1 }}' })],
      [['nodes[0].inputs.condition', 'variables:read']],
    ),
    graph(
      'with variables in a case',
      [node('switch', { cases: [{ name: 'a', when: '{{ has(variables.x) }}' }] })],
      [['nodes[0].inputs.cases[0].when', 'variables:read']],
    ),
    graph(
      'with variables in a repeat',
      [node('repeat', { until: '{{ variables.x == 1 }}' })],
      [['nodes[0].inputs.until', 'variables:read']],
    ),
    graph('with variables in its output', [], [['output.a', 'variables:read']], { output: { a: '{{ variables.x }}' } }),
    graph('that starts another', [node('runWorkflow', { slug: 'other' })], [['nodes[0]', 'executions:run']]),
    graph(
      'that starts one by an expression',
      [node('runWorkflow', { slug: '{{ trigger.slug }}' })],
      [['nodes[0]', 'executions:run']],
    ),
    graph('with an error workflow', [], [['onFailureWorkflowId', 'executions:run']], { onFailureWorkflowId: id }),
    workflow('of a queue', trigger('queue', { queueId: id }), [['trigger.config.queueId', 'queues:write']]),
    workflow('of changed entities', trigger('poll', { appId: 'objects', triggerId: 'changed', everyMs: 60_000 }), [
      ['trigger.config', 'objects:read'],
    ]),
    workflow(
      'of a poll with a connection',
      trigger('poll', {
        appId: 'http',
        triggerId: 'poll',
        everyMs: 60_000,
        inputs: { url: 'http://x' },
        connectionId: id,
      }),
      [['trigger.config.connectionId', 'connections:use']],
    ),
  ]);
});

test('each kind of thing that an agent reaches', async () => {
  const tool = { appId: 'core', actionId: 'set' };
  await walk([
    agent('with a provider', { aiConnectionId: id }, [['aiConnectionId', 'connections:use']]),
    agent('with connections', { connectionIds: [id] }, [['connectionIds[0]', 'connections:use']]),
    agent('with a tool and a connection', { tools: [{ ...tool, connectionId: id }] }, [
      ['tools[0].connectionId', 'connections:use'],
    ]),
    agent('with an MCP server', { mcpServers: [{ name: 's', url: 'http://x', connectionId: id }] }, [
      ['mcpServers[0].connectionId', 'connections:use'],
    ]),
    agent('with knowledge', { knowledgeIds: [id] }, [['knowledgeIds[0]', 'knowledge:read']]),
    agent('with workflows', { workflowIds: [id] }, [['workflowIds[0]', 'executions:run']]),
    agent('with sub-agents', { subAgentIds: [id] }, [
      ['subAgentIds[0]', 'agents:use'],
      ['subAgentIds[0]', 'agents:read'],
    ]),
    agent('with entities', { objectIds: [id] }, [['objectIds[0]', 'objects:read']]),
    agent('with entity types', { objectTypeIds: [id] }, [['objectTypeIds[0]', 'objects:read']]),
    agent('with variables', { variableIds: [id] }, [['variableIds[0]', 'variables:read']]),
    agent('that lists workflows', { enabledPlatformTools: ['list_workflows'] }, [
      ['enabledPlatformTools[0]', 'workflows:read'],
    ]),
    agent('that reads executions', { enabledPlatformTools: ['list_executions', 'read_execution'] }, [
      ['enabledPlatformTools[0]', 'executions:read'],
      ['enabledPlatformTools[1]', 'executions:read'],
    ]),
    agent('that lists queues', { enabledPlatformTools: ['list_queues'] }, [['enabledPlatformTools[0]', 'queues:read']]),
    agent(
      'that finds actions',
      { dynamicActionDiscoveryEnabled: true },
      (['queues:write', 'queues:read', 'objects:write', 'objects:read'] as const).map((permission) => [
        'dynamicActionDiscoveryEnabled',
        permission,
      ]),
    ),
    agent('of its own devices', { memoryEnabled: true, enablePlanning: true, enabledBuiltInTools: ['calculate'] }, []),
  ]);
});

test('a key that may only run, or only store, reaches no data', async () => {
  const type = { slug: 'secretdoc', name: 'Secret', attributeSchema: { type: 'object', properties: { salary: {} } } };
  expect((await home.api('POST', '/api/object-types/upsert', { body: type })).status).toBe(200);
  const secret = { objectTypeSlug: 'secretdoc', name: 'payroll', attributes: { salary: 123_456 } };
  expect((await home.api('POST', '/api/objects', { body: secret })).status).toBe(201);
  await home.api('POST', '/api/variables', { body: { name: 'TOPSECRET', value: 'var-value-42' } });
  const find = { appId: 'objects', actionId: 'find', inputs: { objectTypeSlug: 'secretdoc' } };

  const runner = await callerWith(['executions:run']);
  expect((await runner('GET', '/api/objects')).status).toBe(403);
  expect((await runner('GET', '/api/connections')).status).toBe(403);
  expect(await runner('POST', '/api/actions/run', { body: find })).toMatchObject({
    status: 403,
    body: {
      code: 'FORBIDDEN',
      detail: 'The permission objects:read is missing',
      errors: [{ path: '', message: 'objects.find needs the permission objects:read' }],
    },
  });
  const create = { appId: 'objects', actionId: 'create', inputs: { ...secret, name: 'planted' } };
  expect((await runner('POST', '/api/actions/run', { body: create })).status).toBe(403);
  expect((await runner('POST', '/api/runs', { body: { steps: [reading, find] } })).body).toMatchObject({
    detail: 'Permissions are missing: variables:read, objects:read',
    errors: [{ path: 'steps[0].inputs.values.v' }, { path: 'steps[1]' }],
  });
  expect((await home.api('GET', '/api/objects?objectTypeSlug=secretdoc')).body.pagination.total).toBe(1);

  const writer = await callerWith(['workflows:write']);
  const leak = { slug: 'leak', trigger: webhook({ respond: 'whenFinished' }), steps: [find, reading] };
  const stored = await writer('POST', `/api/projects/${projectId}/workflows/upsert`, { body: leak });
  expect(stored).toMatchObject({
    status: 403,
    body: { errors: [{ path: 'steps[0]' }, { path: 'steps[1].inputs.values.v' }] },
  });
  expect((await home.api('GET', '/api/workflows')).body.map(({ name }: { name: string }) => name)).not.toContain(
    'leak',
  );
  // Validation stores and reveals nothing.
  expect((await writer('POST', '/api/workflows/validate', { body: leak })).body).toEqual({ valid: true, problems: [] });

  // Storing an unchanged definition is checked too.
  expect((await home.api('POST', `/api/projects/${projectId}/workflows/upsert`, { body: leak })).status).toBe(200);
  const again = await writer('POST', `/api/projects/${projectId}/workflows/upsert`, { body: leak });
  expect(again.status).toBe(403);
});

test('a grant does not allow steps or tools to call agents, neither run nor stored', async () => {
  const [shared, hidden] = await Promise.all(
    ['shared', 'hidden'].map(async (slug) => {
      const body = { slug, instructions: 'i', model: 'm' };
      return (await home.api('POST', `/api/projects/${projectId}/agents/upsert`, { body })).body.id as string;
    }),
  );
  const { id: apiKeyId, call } = await keyOf(home, 'agents:use', 'executions:run', 'workflows:write', 'agents:write');
  await grant(home, String(shared), { apiKeyId });
  expect((await call('GET', '/api/agents')).body.map((each: { id: string }) => each.id)).toEqual([shared]);
  expect((await call('GET', `/api/agents/${hidden}`)).status).toBe(404);

  const named = [{ agentId: shared }, { agentId: hidden }, { slug: 'hidden' }, { slug: '{{ "hid" + "den" }}' }];
  for (const which of named) {
    const step = { appId: 'agent', actionId: 'run', inputs: { message: 'Hello', ...which } };
    const stored = { slug: 'asks', steps: [step] };
    const tool = { appId: 'agent', actionId: 'run' };
    const asks = { slug: 'asks', instructions: 'i', model: 'm' };
    const upsert = `/api/projects/${projectId}/agents/upsert`;
    for (const [path, body] of [
      ['/api/actions/run', step],
      ['/api/runs', { steps: [step] }],
      [`/api/projects/${projectId}/workflows/upsert`, stored],
      [upsert, { ...asks, subAgentIds: [which.agentId ?? hidden] }],
      [upsert, { ...asks, tools: [tool] }],
    ] as const) {
      expect(await call('POST', path, { body })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', detail: 'The permission agents:read is missing' },
      });
    }
  }
  expect((await home.api('GET', '/api/tasks')).body).toEqual([]);
});

test('a stored workflow acts for every caller who may start it: executions:run alone starts, retries and edits its input', async () => {
  const find = { objectTypeSlug: '{{ trigger.type }}' };
  const nodes = [action('find', 'objects.find', find), action('set', 'core.set', { values: { v: '{{ variables }}' } })];
  const workflowId = await home.deploy({ nodes });
  const runner = await callerWith(['executions:run']);
  const start = await runner('POST', `/api/executions/workflows/${workflowId}/execute`, {
    body: { inputData: { type: 'none' } },
  });
  expect(start.status).toBe(201);
  const { executionId } = start.body;
  expect((await home.ended(executionId)).status).toBe('FAILED');
  for (const body of [{}, { input: { type: 'y' } }, { version: 'latest' }]) {
    const retry = await runner('POST', `/api/executions/${executionId}/retry`, { body: { ...body, again: true } });
    expect(retry.status).toBe(201);
    await home.ended(retry.body.executionId);
  }
});

test('a refusal is not stored under its Idempotency-Key: the request succeeds once permitted', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const runner = await callerWith(['executions:run']);
  expect((await runner('POST', '/api/actions/run', { body: reading, headers })).status).toBe(403);
  const reader = await callerWith(['executions:run', 'variables:read']);
  const given = await reader('POST', '/api/actions/run', { body: reading, headers });
  expect(given).toMatchObject({ status: 201, body: { status: 'COMPLETED' } });
  expect((await runner('POST', '/api/actions/run', { body: reading, headers })).status).toBe(403);
  const all = { 'idempotency-key': randomUUID() };
  const [first, again] = [
    await home.api('POST', '/api/actions/run', { body: reading, headers: all }),
    await (await callerWith(PERMISSIONS))('POST', '/api/actions/run', { body: reading, headers: all }),
  ];
  expect(again.body).toEqual(first.body);
  expect((await runner('POST', '/api/actions/run', { body: reading, headers: all })).status).toBe(403);
});
