import { expect, test } from '@jest/globals';
import { action, control, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const apply = (home: Home, body: object) => home.api('POST', `/api/projects/${home.projectId}/apply`, { body });
const done = async (home: Home, resources: object[], more: object = {}): Promise<Loose> => {
  const answer = await apply(home, { resources, ...more });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
};
const refused = async (home: Home, resources: object[], more: object = {}): Promise<string[]> => {
  const { status, body } = await apply(home, { resources, ...more });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return body.errors.map(({ path, message }: Loose) => `${path}: ${message}`);
};

const set = action('a', 'core.set', { values: { done: true } });
const hook = (slug: string, more: object = {}) => ({
  ...{ kind: 'workflow', slug, name: 'Hook', trigger: webhook(), nodes: [set], edges: [] },
  ...more,
});

const KINDS = [
  ['agent', 'agents', { instructions: 'Help.', model: 'm' }],
  ['knowledge', 'knowledge', { name: 'K' }],
  ['objectType', 'object-types', { name: 'T' }],
  ['queue', 'queues', { name: 'Q' }],
  ['variable', 'variables', { value: 'secret-value', isSecret: true }],
] as const;

test('a moved workflow keeps its id, history and webhook address; applied again, nothing changes', async () => {
  const home = await makeHome();
  await done(home, [hook('before')]);
  const [{ id }] = (await home.api('GET', '/api/workflows')).body;
  const call = () => home.api('POST', `/api/webhooks/workflows/${id}`, { body: { n: 1 } });
  expect((await call()).status).toBe(200);

  const moved = [{ kind: 'workflow', from: 'before', to: 'after' }];
  const bundle = [hook('after', { description: 'Moved' })];
  const dry = await done(home, bundle, { moved, delete: true, dryRun: true });
  expect(dry.plan).toEqual([
    {
      ...{ kind: 'workflow', slug: 'after', action: 'update', movedFrom: 'before', openExecutions: expect.any(Number) },
      changes: [
        { path: 'slug', from: 'before', to: 'after' },
        { path: 'description', from: null, to: 'Moved' },
      ],
    },
  ]);
  await done(home, bundle, { moved, delete: true, planHash: dry.planHash });
  const { body: rows } = await home.api('GET', '/api/workflows?expansion=slug,version');
  expect(rows).toEqual([expect.objectContaining({ id, slug: 'after', version: 1 })]);
  expect((await call()).status).toBe(200);
  expect((await home.api('GET', `/api/executions?filterBy=workflowId:${id}`)).body).toHaveLength(2);

  const again = await done(home, bundle, { moved, delete: true });
  expect(again.plan).toEqual([{ kind: 'workflow', slug: 'after', action: 'unchanged', changes: [] }]);
});

test.each(KINDS)('moves a resource of the kind %s', async (kind, path, fields) => {
  const home = await makeHome();
  await done(home, [{ kind, slug: 'old', ...fields }]);
  const ids = async () => (await home.api('GET', `/api/${path}`)).body.map(({ id }: Loose) => id);
  const before = await ids();
  expect(before).toHaveLength(1);
  const given = kind === 'variable' ? { isSecret: true, value: '********' } : fields;
  const { plan } = await done(home, [{ kind, slug: 'new', ...given }], { moved: [{ kind, from: 'old', to: 'new' }] });
  expect(plan).toMatchObject([{ kind, slug: 'new', action: 'update', movedFrom: 'old' }]);
  expect(await ids()).toEqual(before);
  const { body } = await home.api('GET', `/api/projects/${home.projectId}/export`);
  expect(body.resources).toMatchObject([{ kind, slug: 'new' }]);
});

test('a moved entity type keeps its entities, also with new rules; a definition elsewhere that names it is a problem', async () => {
  const home = await makeHome();
  const type = (slug: string, more: object = {}) => ({ kind: 'objectType', slug, name: 'Order', ...more });
  await done(home, [type('order')]);
  await home.api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'one' } });
  const uses = { kind: 'objectType', slug: 'line', attributeSchema: reference('order') };
  const other = (await home.api('POST', '/api/projects', { body: { name: 'Other' } })).body.id;
  const elsewhere = { ...home, projectId: other } as Home;
  await done(elsewhere, [uses]);
  const moved = [{ kind: 'objectType', from: 'order', to: 'purchase' }];
  const rules = { attributeSchema: { type: 'object', properties: { sum: { type: 'number' } } } };
  expect(await refused(home, [type('purchase', rules)], { moved })).toEqual([
    'moved: objectType order cannot be moved: objectType line, which is not in the bundle, names it by its slug',
  ]);
  await done(elsewhere, [{ ...uses, attributeSchema: null }]);
  await done(home, [type('purchase', rules)], { moved });
  expect((await home.api('GET', '/api/objects?objectTypeSlug=purchase')).body.items).toHaveLength(1);
});

const reference = (slug: string) => ({
  type: 'object',
  properties: { of: { type: 'string', 'x-objectType': slug } },
});

test('two stored resources, a missing target and a caller by slug are problems at their moves', async () => {
  const home = await makeHome();
  await done(home, [hook('one'), hook('two')]);
  const moved = [{ kind: 'workflow', from: 'one', to: 'two' }];
  expect(await refused(home, [hook('two')], { moved })).toEqual([
    'moved[0].from: the project has both workflow one and workflow two: delete one of them, or remove this move',
  ]);
  expect(await refused(home, [hook('three')], { moved })).toEqual(['moved[0].to: there is no workflow two to move to']);
  const calls = { slug: 'calls', nodes: [control('call', 'runWorkflow', { slug: 'one' })], edges: [] };
  await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body: calls });
  expect(await refused(home, [hook('three')], { moved: [{ kind: 'workflow', from: 'one', to: 'three' }] })).toEqual([
    'moved: workflow one cannot be moved: workflow calls, which is not in the bundle, names it by its slug',
  ]);
  const bySlug = await refused(home, [hook('three'), { kind: 'workflow', ...calls }], {
    moved: [{ kind: 'workflow', from: 'one', to: 'three' }],
  });
  expect(bySlug).toEqual(['resources[1].nodes[0].inputs.slug: workflow one is moved to three: expected three']);
  const inBundle = { kind: 'workflow', ...calls, nodes: [control('call', 'runWorkflow', { slug: 'three' })] };
  await done(home, [hook('three'), inBundle], { moved: [{ kind: 'workflow', from: 'one', to: 'three' }] });
  // The old slug no longer resolves.
  const stale = { ...inBundle, nodes: [control('call', 'runWorkflow', { workflowId: '@workflow/one' })] };
  expect(
    await refused(home, [hook('three'), stale], { moved: [{ kind: 'workflow', from: 'one', to: 'three' }] }),
  ).toEqual([expect.stringContaining('there is no workflow "one"')]);
});

test('a change of a resource of another owner is a problem, until it is taken over', async () => {
  const home = await makeHome();
  await done(home, [hook('paid'), { kind: 'queue', slug: 'q', name: 'Q' }], { owner: 'finance' });
  const [{ id }] = (await home.api('GET', '/api/workflows')).body;
  const ownerOf = async () => (await home.api('GET', `/api/workflows/${id}?expansion=owner`)).body.owner;
  expect(await ownerOf()).toBe('finance');

  // Without a change there is nothing to take.
  const same = await done(home, [hook('paid')], { owner: 'sales', delete: true });
  expect(same.plan).toEqual([{ kind: 'workflow', slug: 'paid', action: 'unchanged', changes: [] }]);
  const changed = [hook('paid', { name: 'Other' })];
  for (const dryRun of [true, false]) {
    expect(await refused(home, changed, { owner: 'sales', dryRun })).toEqual([
      expect.stringMatching(/^resources\[0\]: workflow paid belongs to the owner finance, and this is sales: /),
    ]);
  }
  const { plan } = await done(home, changed, { owner: 'sales', takeOver: true });
  expect(plan[0].changes).toEqual([
    { path: 'owner', from: 'finance', to: 'sales' },
    { path: 'name', from: 'Hook', to: 'Other' },
  ]);
  expect(await ownerOf()).toBe('sales');
  const left = await done(home, [], { owner: 'finance', delete: true, dryRun: true });
  expect(left.plan).toEqual([{ kind: 'queue', slug: 'q', action: 'delete', changes: [] }]);

  const byHand = await home.deploy({ slug: 'byhand', nodes: [] } as never);
  expect((await home.api('GET', `/api/workflows/${byHand}?expansion=owner`)).body.owner).toBeNull();
});
