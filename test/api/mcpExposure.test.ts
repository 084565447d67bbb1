import { expect, test } from '@jest/globals';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const tool = (name?: string) => ({ description: 'Greets a person', ...(name === undefined ? {} : { name }) });
const workflow = (slug: string, more: object = {}) => ({ slug, nodes: [], edges: [], ...more });
const agent = (slug: string, more: object = {}) => ({ slug, instructions: 'Help.', model: 'm', ...more });

const upsert = ({ api, projectId }: Home, body: object) =>
  api('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
const upsertAgent = ({ api, projectId }: Home, body: object) =>
  api('POST', `/api/projects/${projectId}/agents/upsert`, { body });

test('a workflow keeps its name and description as a tool until it gets others; the version stays', async () => {
  const home = await makeHome();
  const { id } = (await upsert(home, workflow('greet', { exposeAsTool: tool('greet') }))).body;
  const shown = async () => (await home.api('GET', `/api/workflows/${id}?expansion=exposeAsTool,version`)).body;
  expect(await shown()).toMatchObject({ exposeAsTool: tool('greet'), version: 1 });
  await upsert(home, workflow('greet'));
  expect(await shown()).toMatchObject({ exposeAsTool: tool('greet') });
  await upsert(home, workflow('greet', { exposeAsTool: null, managedByCode: false }));
  expect(await shown()).toMatchObject({ exposeAsTool: null });
  const change = (exposeAsTool: unknown) => home.api('PATCH', `/api/workflows/${id}`, { body: { exposeAsTool } });
  expect((await change(tool())).body).toMatchObject({ id });
  expect(await shown()).toMatchObject({ exposeAsTool: tool(), version: 1 });
  await change(null);
  expect(await shown()).toMatchObject({ exposeAsTool: null });
  for (const wrong of [
    true,
    {},
    { description: '' },
    tool('two words'),
    tool('n'.repeat(65)),
    { ...tool(), more: 1 },
  ]) {
    expect((await change(wrong)).status).toBe(400);
  }
});

test('a name that another tool of the workspace has is refused at each save, in a bundle too', async () => {
  const home = await makeHome();
  const { slug } = (await home.api('GET', `/api/projects/${home.projectId}?expansion=slug`)).body;
  await upsert(home, workflow('one', { exposeAsTool: tool('refund') }));
  const taken = (name: string) => ({
    status: 400,
    body: { errors: [{ path: 'exposeAsTool.name', message: `another tool is called ${name}` }] },
  });
  expect(await upsert(home, workflow('two', { exposeAsTool: tool('refund') }))).toMatchObject(taken('refund'));
  expect(await upsertAgent(home, agent('two', { exposeAsTool: tool('refund') }))).toMatchObject(taken('refund'));
  expect(await upsert(home, workflow('two', { exposeAsTool: tool('get_execution') }))).toMatchObject(
    taken('get_execution'),
  );
  const { id } = (await upsert(home, workflow('two', { managedByCode: false, exposeAsTool: tool() }))).body;
  const refused = await home.api('PATCH', `/api/workflows/${id}`, { body: { exposeAsTool: tool('refund') } });
  expect(refused).toMatchObject(taken('refund'));
  expect(await upsertAgent(home, agent('two', { exposeAsTool: tool() }))).toMatchObject(taken(`${slug}_two`));
  expect((await upsertAgent(home, agent('three', { exposeAsTool: tool() }))).status).toBe(200);
  const resources = ['four', 'five'].map((each) => ({
    kind: 'workflow',
    ...workflow(each),
    exposeAsTool: tool('both'),
  }));
  const applied = await home.api('POST', `/api/projects/${home.projectId}/apply`, { body: { resources } });
  expect(applied).toMatchObject({ status: 400, body: { errors: [{ path: 'resources[1].exposeAsTool.name' }] } });
  const other = await makeHome();
  expect((await upsert(other, workflow('one', { exposeAsTool: tool('refund') }))).status).toBe(200);
});

test('only workflows that an input starts become tools', async () => {
  const home = await makeHome();
  const trigger = { id: 'trigger', type: 'webhook', config: {} };
  const body = workflow('hook', { trigger, exposeAsTool: tool() });
  expect(await upsert(home, body)).toMatchObject({ status: 400, body: { errors: [{ path: 'exposeAsTool' }] } });
  const { id } = (await upsert(home, workflow('hook', { trigger, managedByCode: false }))).body;
  const changed = await home.api('PATCH', `/api/workflows/${id}`, { body: { exposeAsTool: tool() } });
  expect(changed).toMatchObject({ status: 400, body: { errors: [{ path: 'exposeAsTool' }] } });
});

test('a bundle keeps the tools of its workflows and agents', async () => {
  const home = await makeHome();
  await upsert(home, workflow('greet', { exposeAsTool: tool('greet') }));
  await upsert(home, workflow('plain'));
  await upsertAgent(home, agent('helper', { exposeAsTool: tool() }));
  const { body: bundle } = await home.api('GET', `/api/projects/${home.projectId}/export`);
  const tools = bundle.resources.map(({ slug, exposeAsTool }: Record<string, unknown>) => [slug, exposeAsTool]);
  expect(tools).toEqual([
    ['helper', tool()],
    ['greet', tool('greet')],
    ['plain', null],
  ]);
  const again = await home.api('POST', `/api/projects/${home.projectId}/apply`, { body: bundle });
  expect(again.body.plan.map(({ action }: { action: string }) => action)).toEqual(Array(3).fill('unchanged'));
});
