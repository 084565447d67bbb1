import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { action, chain, control, manual, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const apply = (home: Home, body: object) => home.api('POST', `/api/projects/${home.projectId}/apply`, { body });
const exported = async (home: Home): Promise<Loose[]> =>
  (await home.api('GET', `/api/projects/${home.projectId}/export`)).body.resources;
const done = async (home: Home, resources: object[], more: object = {}) => {
  const answer = await apply(home, { resources, ...more });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ applied: true })]);
  return answer.body;
};
const actions = ({ plan }: Loose) => plan.map(({ kind, slug, action: does }: Loose) => `${does} ${kind} ${slug}`);

const set = (id: string) => action(id, 'core.set', { values: { done: true } });
const workflow = (slug: string, more: object = {}) => ({
  kind: 'workflow',
  slug,
  nodes: [set('a')],
  edges: [],
  ...more,
});

const whole = (): Loose[] => [
  workflow('main', {
    name: 'Main',
    trigger: { id: 'trigger', type: 'queue', config: { queueId: '@queue/refunds' } },
    nodes: [
      control('call', 'runWorkflow', { workflowId: '@workflow/other' }),
      action('add', 'queue.add', { queueId: '@queue/refunds', data: { a: 1 } }),
    ],
    edges: chain('call', 'add'),
    onFailureWorkflowId: '@workflow/other',
  }),
  workflow('other', {
    nodes: [control('back', 'runWorkflow', { workflowId: '@workflow/main' })],
    onFailureWorkflowId: '@workflow/main',
    trigger: manual(),
  }),
  {
    kind: 'agent',
    slug: 'helper',
    instructions: 'Help.',
    model: 'gpt',
    workflowIds: ['@workflow/other'],
    knowledgeIds: ['@knowledge/manual'],
    subAgentIds: ['@agent/second'],
    objectTypeIds: ['@objectType/order'],
    variableIds: ['@variable/LIMIT'],
  },
  { kind: 'agent', slug: 'second', instructions: 'Help too.', model: 'gpt' },
  { kind: 'queue', slug: 'refunds', name: 'Refunds', batchSize: 20 },
  { kind: 'knowledge', slug: 'manual', name: 'Manual' },
  {
    kind: 'objectType',
    slug: 'order',
    attributeSchema: { type: 'object', properties: { customer: { type: 'string', 'x-objectType': 'customer' } } },
    stateSchema: { initial: 'open', states: [{ id: 'open', name: 'Open' }], transitions: [] },
  },
  { kind: 'objectType', slug: 'customer' },
  { kind: 'variable', slug: 'LIMIT', value: { most: 10 } },
];

test('applies resources that reference each other in any order and in circles; a repetition changes nothing', async () => {
  const home = await makeHome();
  const dry = await apply(home, { resources: whole(), dryRun: true });
  expect([dry.status, dry.body.applied, await exported(home)]).toEqual([200, false, []]);
  const made = await done(home, whole(), { planHash: dry.body.planHash });
  expect(actions(made)).toEqual([
    'create agent helper',
    'create agent second',
    'create knowledge manual',
    'create objectType customer',
    'create objectType order',
    'create queue refunds',
    'create variable LIMIT',
    'create workflow main',
    'create workflow other',
  ]);
  expect(made.plan[5].changes).toContainEqual({ path: 'batchSize', from: null, to: 20 });
  const again = await done(home, whole());
  expect(new Set(again.plan.map((each: Loose) => each.action))).toEqual(new Set(['unchanged']));

  const found = await exported(home);
  expect(found.map(({ kind, slug }) => `${kind} ${slug}`)).toEqual(actions(made).map((each: string) => each.slice(7)));
  const text = JSON.stringify(found);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(found.find(({ slug }) => slug === 'main')).toMatchObject({
    onFailureWorkflowId: '@workflow/other',
    trigger: { config: { queueId: '@queue/refunds' } },
    nodes: [{ inputs: { workflowId: '@workflow/other' } }, { inputs: { queueId: '@queue/refunds' } }],
  });
  expect(found.find(({ slug }) => slug === 'helper')).toMatchObject({
    workflowIds: ['@workflow/other'],
    knowledgeIds: ['@knowledge/manual'],
    subAgentIds: ['@agent/second'],
    objectTypeIds: ['@objectType/order'],
    variableIds: ['@variable/LIMIT'],
  });
  const [first, second] = await Promise.all(
    [1, 2].map(async () => {
      const headers = { authorization: `Bearer ${home.apiKey}` };
      return (await fetch(`${home.url}/api/projects/${home.projectId}/export`, { headers })).text();
    }),
  );
  expect(second).toBe(first);
  const other = await makeHome();
  await done(other, found);
  expect(await exported(other)).toEqual(found);
  const { body } = await home.api('GET', '/api/workflows?expansion=managedByCode,slug');
  expect(body.map((each: Loose) => each.managedByCode)).toEqual([true, true]);
});

test('an applied workflow runs', async () => {
  const home = await makeHome();
  await done(home, [
    workflow('outer', {
      trigger: manual(),
      nodes: [control('call', 'runWorkflow', { workflowId: '@workflow/inner' })],
    }),
    workflow('inner', { nodes: [action('a', 'core.set', { values: { limit: '{{ variables.LIMIT }}' } })] }),
    { kind: 'variable', slug: 'LIMIT', value: 7 },
  ]);
  const { body } = await home.api('GET', '/api/workflows?filterBy=slug:outer');
  const execution = await home.ended(await home.execute(body[0].id));
  expect([execution.status, execution.output]).toEqual(['COMPLETED', { limit: 7 }]);
});

test('the plan lists the changes, place by place, and how many executions continue', async () => {
  const home = await makeHome();
  const before = workflow('w', {
    trigger: webhook({ secret: 'first-secret' }),
    nodes: [control('ask', 'input', { fields: [] }), set('a')],
    edges: chain('ask', 'a'),
  });
  await done(home, [before, { kind: 'queue', slug: 'q' }, { kind: 'variable', slug: 'V', value: { a: [1], b: 2 } }]);
  const { body } = await home.api('GET', '/api/workflows?filterBy=slug:w');
  await api(home.url, home.apiKey)('POST', `/api/webhooks/workflows/${body[0].id}`, {
    body: {},
    headers: { 'x-webhook-secret': 'first-secret' },
  });
  const { body: dry } = await apply(home, {
    dryRun: true,
    resources: [
      workflow('w', {
        name: 'Other',
        trigger: webhook({ secret: 'second-secret' }),
        nodes: [control('ask', 'input', { fields: [], title: 'Hm' }), set('b')],
        edges: chain('ask', 'b'),
      }),
      { kind: 'queue', slug: 'q', priority: 3, description: 'Now' },
      { kind: 'variable', slug: 'V', value: { a: [1], b: 3 } },
    ],
  });
  const of = (kind: string) => dry.plan.find((each: Loose) => each.kind === kind);
  expect(of('queue').changes).toEqual([
    { path: 'description', from: null, to: 'Now' },
    { path: 'priority', from: 0, to: 3 },
  ]);
  expect(of('variable').changes).toEqual([{ path: 'value.b', from: 2, to: 3 }]);
  expect(of('workflow')).toMatchObject({ action: 'update', openExecutions: 1 });
  expect(of('workflow').changes.map(({ path }: Loose) => path)).toEqual(
    expect.arrayContaining(['name', 'trigger.config.secret', 'nodes.ask.inputs.title', 'nodes.a', 'nodes.b']),
  );
  expect(of('workflow').changes).toContainEqual({ path: 'trigger.config.secret', from: '********', to: '********' });
  expect(JSON.stringify(dry)).not.toMatch(/(first|second)-secret/);
});

test('exports no secrets; a mask keeps the stored one, and is a problem without one', async () => {
  const home = await makeHome();
  const secret = { kind: 'variable', slug: 'TOKEN', value: 'hunter22-of-it', isSecret: true };
  await done(home, [
    workflow('hook', { trigger: webhook({ secret: 'hunter22-hook', hmac: { secret: 'hunter22-h' } }) }),
    secret,
  ]);
  const found = await exported(home);
  expect(JSON.stringify(found)).not.toContain('hunter22');
  expect(found[0]).toMatchObject({ slug: 'TOKEN', value: '********', isSecret: true });
  const again = await done(home, found);
  expect(actions(again)).toEqual(['unchanged variable TOKEN', 'unchanged workflow hook']);
  // A secret in a bundle always counts as changed; otherwise the plan would reveal whether a guess is right.
  expect(actions(await done(home, [secret]))).toEqual(['update variable TOKEN']);
  const changed = await done(home, [{ ...secret, value: 'another' }]);
  expect(changed.plan[0].changes).toEqual([{ path: 'value', from: '********', to: '********' }]);

  const other = await makeHome();
  const refused = await apply(other, { resources: found });
  expect([refused.status, refused.body.errors.map(({ path }: Loose) => path).sort()]).toEqual([
    400,
    ['resources[0].value', 'resources[1].trigger.config.secret'],
  ]);
  expect(await exported(other)).toEqual([]);
  const filled = structuredClone(found);
  filled[0].value = 'x';
  Object.assign(filled[1].trigger.config, { secret: 'y', hmac: { secret: 'z' } });
  await done(other, filled);
  expect(await exported(other)).toEqual(found);
});

test('reports every problem with its place, and writes nothing', async () => {
  const home = await makeHome();
  const resources = [
    { kind: 'queue', slug: 'fine' },
    { kind: 'queue', slug: 'Not Fine', batchSize: 1000 },
    workflow('w', {
      nodes: [
        { ...set('a'), connectionId: '@connection/bank' },
        control('b', 'runWorkflow', { workflowId: '@workflow/nobody' }),
        action('c', 'core.nothing', {}),
      ],
      trigger: { id: 'trigger', type: 'queue', config: { queueId: '@workflow/w' } },
      onFailureWorkflowId: '@workflow/w',
    }),
    { kind: 'agent', slug: 'a', instructions: 'x', model: 'm', subAgentIds: ['@agent/b'], webAccess: true },
    {
      kind: 'agent',
      slug: 'b',
      instructions: 'x',
      model: 'm',
      subAgentIds: ['@agent/a'],
      knowledgeIds: ['@knowledge/no'],
    },
    { kind: 'variable', slug: 'V' },
    { kind: 'objectType', slug: 't', attributeSchema: { type: 'text' } },
    { kind: 'queue', slug: 'fine' },
    { kind: 'knowledge', slug: 'k', chunkSize: 100, chunkOverlap: 90 },
  ];
  const refused = await apply(home, { resources });
  expect(refused.status).toBe(400);
  const places = refused.body.errors.map(({ path }: Loose) => path);
  expect(places).toEqual(
    expect.arrayContaining([
      'resources[1].slug',
      'resources[1].batchSize',
      'resources[2].nodes[0].connectionId',
      'resources[2].nodes[1].inputs.workflowId',
      'resources[2].nodes[2].actionId',
      'resources[2].trigger.config.queueId',
      'resources[2].onFailureWorkflowId',
      'resources[3].subAgentIds[0]',
      'resources[4].knowledgeIds[0]',
      'resources[5].value',
      'resources[6].attributeSchema.type',
      'resources[7].slug',
      'resources[8].chunkOverlap',
    ]),
  );
  expect(await exported(home)).toEqual([]);
});

test('a bundle based on another state is 409, also by its plan, and one of two simultaneous ones wins', async () => {
  const home = await makeHome();
  const { body: dry } = await apply(home, { resources: whole(), dryRun: true });
  await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Between' } });
  const late = await apply(home, { resources: whole(), planHash: dry.planHash });
  expect([late.status, late.body.code]).toEqual([409, 'PLAN_CHANGED']);
  // Both plans come before both applies: without its plan hash, the later apply would be a valid change.
  const bundles = [1, 2].map((batchSize) => ({ resources: [...whole(), { kind: 'queue', slug: 'b', batchSize }] }));
  const plans = await Promise.all(bundles.map((bundle) => apply(home, { ...bundle, dryRun: true })));
  const both = await Promise.all(
    bundles.map((bundle, at) => apply(home, { ...bundle, planHash: plans[at]?.body.planHash })),
  );
  expect(both.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'PLAN_CHANGED']);
  const won = both.findIndex(({ status }) => status === 200);
  expect((await exported(home)).find(({ slug }) => slug === 'b').batchSize).toBe(won + 1);
});

test('changed rules of an entity type must fit its existing entities', async () => {
  const home = await makeHome();
  const type = (required: string[]) => ({
    kind: 'objectType',
    slug: 'order',
    attributeSchema: { type: 'object', properties: { total: { type: 'number' } }, required },
  });
  await done(home, [type([])]);
  await home.api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'o', attributes: {} } });
  const refused = await apply(home, { resources: [type(['total']), { kind: 'queue', slug: 'q' }] });
  expect([refused.status, refused.body.errors.map(({ path }: Loose) => path)]).toEqual([
    400,
    ['resources[0].attributeSchema'],
  ]);
  expect((await exported(home)).map(({ slug }) => slug)).toEqual(['order']);
  const changed = await done(home, [{ ...type([]), allowUnknownAttributes: true }]);
  expect(changed.plan[0].changes).toEqual([{ path: 'allowUnknownAttributes', from: false, to: true }]);
  expect(
    await home.api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'p', attributes: { x: 1 } } }),
  ).toMatchObject({ status: 201 });
});

test('deletes resources managed by code that the bundle lacks, unless they are used or contain data', async () => {
  const home = await makeHome();
  await done(
    home,
    whole()
      .filter(({ kind }) => kind !== 'workflow')
      .map((each) => (each.slug === 'helper' ? { ...each, workflowIds: [] } : each)),
  );
  const byHand = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'By hand' } });
  await home.api('POST', '/api/objects', { body: { objectTypeSlug: 'customer', name: 'c' } });
  const kept = [
    { kind: 'agent', slug: 'helper', instructions: 'Help.', model: 'gpt', knowledgeIds: ['@knowledge/manual'] },
  ];
  const refused = await apply(home, { resources: kept, delete: true });
  expect([refused.status, refused.body.errors.map(({ path }: Loose) => path)]).toEqual([400, ['delete', 'delete']]);
  const said = refused.body.errors.map(({ message }: Loose) => message).join('\n');
  expect(said).toContain('knowledge manual cannot be deleted: agent helper uses it');
  expect(said).toContain('objectType customer cannot be deleted: 1 entities of this type exist');
  const ok = [...kept, { kind: 'knowledge', slug: 'manual' }, { kind: 'objectType', slug: 'customer' }];
  const without = await done(home, ok, { delete: true });
  expect(actions(without).filter((each: string) => each.startsWith('delete'))).toEqual([
    'delete agent second',
    'delete objectType order',
    'delete queue refunds',
    'delete variable LIMIT',
  ]);
  expect((await exported(home)).map(({ slug }) => slug)).toEqual(['helper', 'manual', 'customer', 'by-hand']);
  expect((await home.api('GET', `/api/queues/${byHand.body.id}`)).status).toBe(200);
});

test('deletes resources that use each other together, unless a remaining one uses them', async () => {
  const home = await makeHome();
  const calls = (slug: string, other: string, more: object = {}) =>
    workflow(slug, { nodes: [control('call', 'runWorkflow', { workflowId: `@workflow/${other}` })], ...more });
  const type = (slug: string, other: string) => ({
    ...{ kind: 'objectType', slug },
    attributeSchema: { type: 'object', properties: { of: { type: 'string', 'x-objectType': other } } },
  });
  const circle = [
    calls('a', 'b', { onFailureWorkflowId: '@workflow/b' }),
    calls('b', 'a', { onFailureWorkflowId: '@workflow/a' }),
    workflow('asks', { nodes: [action('ask', 'agent.run', { slug: 'guide', message: 'Hi' })] }),
    { kind: 'agent', slug: 'guide', instructions: 'x', model: 'm', workflowIds: ['@workflow/asks', '@workflow/a'] },
    { kind: 'queue', slug: 'q' },
    workflow('takes', { trigger: { id: 'trigger', type: 'queue', config: { queueId: '@queue/q' } } }),
    type('one', 'two'),
    type('two', 'one'),
  ];
  const stays = workflow('stays', { nodes: [set('s')] });
  await done(home, [...circle, stays]);

  const { body: ids } = await home.api('GET', '/api/workflows?expansion=slug');
  const idOf = (slug: string) => ids.find((each: Loose) => each.slug === slug).id;
  const single = await home.api('DELETE', `/api/workflows/${idOf('a')}`);
  expect([single.status, single.body.code]).toEqual([409, 'IN_USE']);

  // A resource of the bundle that starts to use a deleted one, and a resource of another project.
  const uses = { ...stays, nodes: [control('call', 'runWorkflow', { slug: 'b' })] };
  const other = (await home.api('POST', '/api/projects', { body: { name: 'Other' } })).body.id;
  const body = { slug: 'far', nodes: [control('call', 'runWorkflow', { workflowId: idOf('a') })], edges: [] };
  await home.api('POST', `/api/projects/${other}/workflows/upsert`, { body });
  const refused = await apply(home, { resources: [uses], delete: true });
  expect([refused.status, refused.body.errors.map(({ message }: Loose) => message)]).toEqual([
    400,
    ['workflow a cannot be deleted: workflow far uses it', 'workflow b cannot be deleted: workflow stays uses it'],
  ]);
  await home.api('POST', `/api/projects/${other}/workflows/upsert`, { body: { ...body, nodes: [set('a')] } });
  await done(home, [uses]);

  const gone = await done(home, [stays], { delete: true });
  expect(actions(gone).filter((each: string) => each.startsWith('delete'))).toEqual([
    ...['delete agent guide', 'delete objectType one', 'delete objectType two', 'delete queue q'],
    ...['delete workflow a', 'delete workflow asks', 'delete workflow b', 'delete workflow takes'],
  ]);
  expect((await exported(home)).map(({ slug }) => slug)).toEqual(['stays']);
});

test('requires the permission of each kind and of each step, with their places', async () => {
  const home = await makeHome();
  const key = async (...permissions: string[]) => {
    const { body } = await home.api('POST', '/api/api-keys', { body: { name: 'k', permissions } });
    return (body_: object) =>
      api(home.url, body.apiKey)('POST', `/api/projects/${home.projectId}/apply`, { body: body_ });
  };
  const queues = await key('queues:write');
  const resources = [
    { kind: 'queue', slug: 'q' },
    workflow('w', { nodes: [action('f', 'objects.find', { objectTypeSlug: 'x' })] }),
  ];
  const refused = await queues({ resources });
  expect([refused.status, refused.body.errors]).toEqual([
    403,
    [expect.objectContaining({ path: 'resources[1].kind' })],
  ]);
  expect((await queues({ resources: [resources[0]] })).status).toBe(200);
  const changed = await queues({ resources: [{ kind: 'queue', slug: 'q', priority: 4 }], dryRun: true });
  expect(changed.body.plan[0].changes).toEqual([{ path: 'priority', from: null, to: 4 }]);
  const both = await key('queues:write', 'workflows:write');
  const needed = await both({ resources });
  expect([needed.status, needed.body.errors[0].path]).toEqual([403, 'resources[1].nodes[0]']);
});

test('applying a schedule creates it in the engine, and deleting its workflow removes it', async () => {
  const home = await makeHome();
  const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 3_600_000 } };
  await done(home, [workflow('clock', { trigger })]);
  const listed = async () => (await home.api('GET', '/api/workflows?expansion=nextScheduledExecution')).body;
  expect((await listed())[0].nextScheduledExecution).toMatch(/^20/);
  await done(home, [workflow('clock', { trigger: manual() })]);
  expect((await listed())[0].nextScheduledExecution).toBeNull();
  const gone = await done(home, [], { delete: true });
  expect([actions(gone), await listed()]).toEqual([['delete workflow clock'], []]);
});
