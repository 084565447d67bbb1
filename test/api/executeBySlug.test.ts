import { expect, test } from '@jest/globals';
import { createClient } from 'perdure-client';
import { keyOf } from '../setup/workspace/grants.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const GREET = {
  slug: 'greet',
  trigger: { type: 'manual', config: { fields: [{ key: 'name', type: 'text', required: true }] } },
  nodes: [],
  output: 'Hello {{ trigger.name }}',
};

async function slugOf({ api, projectId }: Home): Promise<string> {
  return (await api('GET', `/api/projects/${projectId}?expansion=slug`)).body.slug;
}

const clientOf = ({ url, apiKey }: Home) => createClient({ url, apiKey });
const pathOf = (project: string, slug = 'greet') => `/api/projects/${project}/workflows/${slug}/execute`;
const ADA = { inputData: { name: 'Ada' } };

test('a workflow is started by the slug or id of its project and its own slug, by the rules of a start by id', async () => {
  const home = await makeHome();
  await home.deploy(GREET as never);
  const project = await slugOf(home);
  for (const each of [project, home.projectId, home.projectId.toUpperCase()]) {
    const started = await home.api('POST', pathOf(each), { body: { ...ADA, labels: { by: 'slug' } } });
    expect(started).toMatchObject({ status: 201, body: { executionId: expect.any(String) } });
    const ended = await clientOf(home).waitForExecution(started.body.executionId);
    expect(ended).toMatchObject({ status: 'COMPLETED', output: 'Hello Ada' });
  }
  const refused = await home.api('POST', pathOf(project), { body: { inputData: {} } });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'inputData.name' }] } });
  const headers = { 'idempotency-key': 'once' };
  const once = () => home.api('POST', pathOf(project), { body: ADA, headers });
  const [first, again] = [await once(), await once()];
  expect(again.body).toEqual(first.body);
  expect((await home.api('POST', pathOf(project), { body: { inputData: { name: 'Bob' } }, headers })).status).toBe(409);
  const { call: reader } = await keyOf(home, 'executions:read');
  expect((await reader('POST', pathOf(project), { body: ADA })).status).toBe(403);
  const { call: runner } = await keyOf(home, 'executions:run');
  expect((await runner('POST', pathOf(project), { body: ADA })).status).toBe(201);
  const log = await home.api('GET', '/api/audit-log?filterBy=action:executeWorkflowBySlug&limit=1');
  expect(log.body[0]).toMatchObject({ resourceType: 'execution', outcome: 'success' });
});

test('a slug of another project or workspace, or of an internal workflow, is not found', async () => {
  const [home, other] = [await makeHome(), await makeHome()];
  await other.deploy(GREET as never);
  await other.api('PATCH', `/api/projects/${other.projectId}`, { body: { slug: 'only-theirs' } });
  const second = await home.api('POST', '/api/projects', { body: { name: 'Second', slug: 'second' } });
  await home.deploy(GREET as never);
  const own = await slugOf(home);
  const wrong = [
    pathOf('only-theirs'),
    pathOf(other.projectId),
    pathOf('second'),
    pathOf(second.body.id),
    pathOf(own, 'greetings'),
  ];
  for (const path of wrong) {
    const answer = await home.api('POST', path, { body: ADA });
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND']);
    expect(answer.body.detail).toContain('There is no such workflow: expected a project by id or slug');
  }
});

test('an id counts before a slug that looks like it', async () => {
  const home = await makeHome();
  await home.deploy(GREET as never);
  const made = await home.api('POST', '/api/projects', { body: { name: 'Twin', slug: home.projectId } });
  await home.api('POST', `/api/projects/${made.body.id}/workflows/upsert`, {
    body: { ...GREET, output: 'of the twin', edges: [] },
  });
  const { body } = await home.api('POST', pathOf(home.projectId), { body: ADA });
  expect((await clientOf(home).waitForExecution(body.executionId)).output).toBe('Hello Ada');
});

test('the client starts a workflow by <project>/<slug>, once even if the call is repeated', async () => {
  const home = await makeHome();
  await home.deploy(GREET as never);
  const client = createClient<{
    workflows: { greet: { input: { name: string }; questions: Record<string, never>; output: string } };
    entities: Record<string, never>;
  }>({ url: home.url, apiKey: home.apiKey });
  const project = await slugOf(home);
  const given = { workflow: `${project}/greet`, body: ADA, idempotencyKey: 'k' } as const;
  const { executionId } = await client.executeWorkflow(given);
  expect(await client.executeWorkflow(given)).toEqual({ executionId });
  const { output } = await client.waitForExecution(executionId);
  expect(output?.toUpperCase()).toBe('HELLO ADA');
  const untyped = clientOf(home);
  await expect(untyped.executeWorkflow({ workflow: 'greet' })).rejects.toThrow('must be <project>/<slug>, not greet');
  await expect(untyped.executeWorkflow({ workflow: `${project}/gone` })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
