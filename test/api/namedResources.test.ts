import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { api } from '../setup/api/client.ts';
import { action, control, manual, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// The checker reads the resources that a definition names from the store.

interface Found {
  code: string;
  severity: string;
  path: string;
  message: string;
}

const text = ({ code, severity, path }: Found) => `${severity} ${code} ${path}`;

async function problemsOf(home: Home, body: object, key = home.apiKey): Promise<string[]> {
  const definition = { slug: 'w', edges: [], ...body };
  const call = api(home.url, key);
  const validated = await call('POST', '/api/workflows/validate', {
    body: { projectId: home.projectId, ...definition },
  });
  const { problems, valid } = validated.body as { problems: Found[]; valid: boolean };
  expect(valid).toBe(problems.every(({ severity }) => severity === 'warning'));
  return problems.map(text).toSorted();
}

/** An upsert refuses exactly the errors. */
async function refusedBy(home: Home, body: object): Promise<string[]> {
  const upsert = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
    body: { slug: 'w', edges: [], ...body },
  });
  expect(upsert.status).toBe(400);
  return (upsert.body.errors as Found[]).map(text).toSorted();
}

const PAY = manual(
  { key: 'amount', label: 'Amount', type: 'number', required: true },
  { key: 'note', label: 'Note', type: 'text', required: false },
);

test('WORKFLOW_INPUT: a workflow that the node names by slug or id', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ slug: 'pay', trigger: PAY, nodes: [] });
  for (const name of [{ slug: 'pay' }, { workflowId }] as JsonObject[]) {
    const call = (input: JsonObject) => ({ nodes: [control('call', 'runWorkflow', { ...name, input })] });
    expect(await problemsOf(home, call({ amount: 1 }))).toEqual([]);
    expect(await problemsOf(home, call({ amount: '{{ trigger.n }}' }))).toEqual([]);
    const wrong = call({ amount: 'one', nte: 'x' });
    const error = 'error WORKFLOW_INPUT nodes[0].inputs.input.amount';
    expect(await problemsOf(home, wrong)).toEqual([error, 'warning WORKFLOW_INPUT nodes[0].inputs.input.nte']);
    expect(await refusedBy(home, wrong)).toEqual([error]);
  }
});

test('WORKFLOW_INPUT: the newest version, the workflow itself, other triggers and other workspaces', async () => {
  const home = await makeHome();
  const call = (slug: string, input = {}) => ({ nodes: [control('call', 'runWorkflow', { slug, input })] });
  await home.deploy({ slug: 'pay', trigger: PAY, nodes: [] });
  await home.deploy({ slug: 'pay', trigger: manual(), nodes: [] });
  expect(await problemsOf(home, call('pay'))).toEqual([]);
  // The stored version of the workflow itself is about to be replaced.
  await home.deploy({ slug: 'w', trigger: PAY, nodes: [] });
  expect((await problemsOf(home, call('w'))).filter((each) => each.includes('WORKFLOW_INPUT'))).toEqual([]);
  await home.deploy({ slug: 'hooked', trigger: webhook(), nodes: [] });
  expect(await problemsOf(home, call('hooked'))).toEqual([]);
  const other = await makeHome();
  await home.deploy({ slug: 'theirs', trigger: PAY, nodes: [] });
  expect(await problemsOf(other, call('theirs'))).toEqual([]);
});

test('UNKNOWN_VARIABLE: variables of the project and of the workspace', async () => {
  const home = await makeHome();
  const { body: second } = await home.api('POST', '/api/projects', { body: { name: 'Second' } });
  await home.api('POST', '/api/variables', { body: { name: 'SHARED', value: 1 } });
  await home.api('POST', '/api/variables', { body: { name: 'OWN', value: 1, projectId: home.projectId } });
  await home.api('POST', '/api/variables', { body: { name: 'OTHER', value: 1, projectId: second.id } });
  const reading = (name: string) => ({ nodes: [action('a', 'core.transform', { value: `{{ variables.${name} }}` })] });
  expect(await problemsOf(home, reading('SHARED'))).toEqual([]);
  expect(await problemsOf(home, reading('OWN'))).toEqual([]);
  const place = 'error UNKNOWN_VARIABLE nodes[0].inputs.value';
  expect(await problemsOf(home, reading('OTHER'))).toEqual([place]);
  expect(await refusedBy(home, reading('OTHER'))).toEqual([place]);
  // Without a project, its variables are unknown.
  expect(await problemsOf(home, { projectId: undefined, ...reading('OTHER') })).toEqual([]);
});

const TYPE = {
  slug: 'order',
  attributeSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  stateSchema: { initial: 'open', states: [{ id: 'open' }, { id: 'paid' }] },
};
const creates = (inputs: JsonObject) => ({
  nodes: [action('a', 'objects.create', { name: 'x', objectTypeSlug: 'order', ...inputs })],
});

test('ENTITY_TYPE, ENTITY_STATE and ENTITY_ATTRIBUTES: the types of the workspace', async () => {
  const home = await makeHome();
  const place = 'nodes[0].inputs';
  expect(await problemsOf(home, creates({}))).toEqual([`error ENTITY_TYPE ${place}.objectTypeSlug`]);
  await home.api('POST', '/api/object-types/upsert', { body: TYPE });
  expect(await problemsOf(home, creates({ attributes: { total: '{{ trigger.total }}' }, state: 'paid' }))).toEqual([]);
  const wrong = creates({ attributes: { totl: 1 }, state: 'paied' });
  const errors = [
    `error ENTITY_ATTRIBUTES ${place}.attributes.total`,
    `error ENTITY_ATTRIBUTES ${place}.attributes.totl`,
    `error ENTITY_STATE ${place}.state`,
  ];
  expect(await problemsOf(home, wrong)).toEqual(errors);
  expect(await refusedBy(home, wrong)).toEqual(errors);
  const steps = [{ appId: 'objects', actionId: 'create', inputs: { name: 'x', objectTypeSlug: 'order' } }];
  expect(await problemsOf(home, { edges: undefined, steps })).toEqual([
    'error ENTITY_ATTRIBUTES steps[0].inputs.attributes.total',
  ]);
  const stranger = await makeHome();
  expect(await problemsOf(stranger, creates({ attributes: { total: 1 } }))).toEqual([
    `error ENTITY_TYPE ${place}.objectTypeSlug`,
  ]);
});

test('a caller learns nothing about resources that it may not read', async () => {
  const home = await makeHome();
  await home.api('POST', '/api/object-types/upsert', { body: TYPE });
  const { body } = await home.api('POST', '/api/api-keys', { body: { name: 'k', permissions: ['workflows:write'] } });
  const reads = { value: '{{ variables.NONE }}' };
  for (const nodes of [
    creates({}).nodes,
    creates({ objectTypeSlug: 'none' }).nodes,
    [action('a', 'core.transform', reads)],
  ])
    expect(await problemsOf(home, { nodes }, body.apiKey)).toEqual([]);
});

test('UNKNOWN_TRIGGER_FIELD: an error workflow of another workflow or of the project', async () => {
  const home = await makeHome();
  const reads = (value: string) => ({ nodes: [action('a', 'core.transform', { value })] });
  const [known, unknown] = [reads('{{ trigger.execution.error }}'), reads('{{ trigger.error }}')];
  const handler = await home.deploy({ slug: 'w', ...known });
  expect(await problemsOf(home, unknown)).toEqual([]);
  const failing = await home.deploy({
    ...{ slug: 'failing', nodes: [], onFailureWorkflowId: handler, managedByCode: false },
  });
  const place = ['error UNKNOWN_TRIGGER_FIELD nodes[0].inputs.value'];
  expect(await problemsOf(home, unknown)).toEqual(place);
  expect(await refusedBy(home, unknown)).toEqual(place);
  expect(await problemsOf(home, reads('{{ trigger.execution.eror }}'))).toEqual(place);
  expect(await problemsOf(home, known)).toEqual([]);
  await home.api('PATCH', `/api/workflows/${failing}`, { body: { onFailureWorkflowId: null } });
  expect(await problemsOf(home, unknown)).toEqual([]);
  await home.api('PATCH', `/api/projects/${home.projectId}`, { body: { onFailureWorkflowId: handler } });
  expect(await problemsOf(home, unknown)).toEqual(place);
});

test('a bundle: its own resources and those of the workspace', async () => {
  const home = await makeHome();
  const apply = async (...resources: object[]) => {
    const answer = await home.api('POST', `/api/projects/${home.projectId}/apply`, {
      body: { resources, dryRun: true },
    });
    return answer.status === 200 ? [] : (answer.body.errors as Found[]).map(text).toSorted();
  };
  const workflow = (body: object) => ({ kind: 'workflow', slug: 'w', edges: [], ...body });
  const uses = workflow({
    nodes: [
      action('a', 'core.transform', { value: '{{ variables.LIMIT }}' }),
      ...creates({ attributes: { total: 'x' } }).nodes.map((node) => ({ ...node, id: 'b' })),
    ],
  });
  const place = (index: number) => `resources[${index}].nodes`;
  const wrongTotal = (index: number) => `error ENTITY_ATTRIBUTES ${place(index)}[1].inputs.attributes.total`;
  expect(await apply(uses)).toEqual([
    `error ENTITY_TYPE ${place(0)}[1].inputs.objectTypeSlug`,
    `error UNKNOWN_VARIABLE ${place(0)}[0].inputs.value`,
  ]);
  const others = [
    { kind: 'variable', slug: 'LIMIT', value: 1 },
    { kind: 'objectType', ...TYPE },
  ];
  expect(await apply(...others, uses)).toEqual([wrongTotal(2)]);
  await home.api('POST', '/api/variables', { body: { name: 'LIMIT', value: 1 } });
  await home.api('POST', '/api/object-types/upsert', { body: TYPE });
  expect(await apply(uses)).toEqual([wrongTotal(0)]);
  // The bundle changes the type.
  const free = { kind: 'objectType', slug: 'order', attributeSchema: null, allowUnknownAttributes: true };
  expect(await apply(free, uses)).toEqual([]);
  const handler = await home.deploy({ slug: 'w', nodes: [] });
  await home.deploy({ slug: 'failing', nodes: [], onFailureWorkflowId: handler });
  expect(await apply(workflow({ nodes: [action('a', 'core.transform', { value: '{{ trigger.error }}' })] }))).toEqual([
    `error UNKNOWN_TRIGGER_FIELD ${place(0)}[0].inputs.value`,
  ]);
});
