import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import { type Api, api } from '../setup/api/client.ts';
import { untilEvent } from '../setup/api/events.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
/** Connection types belong to the catalogue, which all workspaces share; a content is named by its hash. */
const NOT_OF_A_WORKSPACE = ['connectWorkflowApp', 'authorizeConnection', 'putAppContent'];
const routes = routesOf(document).filter(
  ({ isPublic, operationId, path }) => !isPublic && path.includes('{') && !NOT_OF_A_WORKSPACE.includes(operationId),
);

const theirs = await filledWorkspace();
const mine = await makeWorkspace();
const call = api(mine.url, mine.apiKey);

async function filledWorkspace() {
  const { url, apiKey, projectId, workspaceId, email, password } = await makeWorkspace();
  const own = api(url, apiKey);
  await own('POST', '/api/auth/login', { body: { email, password }, headers: fromElsewhere() });
  const variable = await own('POST', '/api/variables', { body: { name: 'A', value: 'a value of theirs' } });
  const workflow = await own('POST', `/api/projects/${projectId}/workflows/upsert`, {
    body: {
      slug: 'ask',
      managedByCode: false,
      nodes: [{ id: 'ask', type: 'input', inputs: { fields: [] } }],
      edges: [],
    },
  });
  await own('PUT', `/api/workflows/${workflow.body.id}/draft`, { body: { nodes: [], edges: [] } });
  const execution = await own('POST', `/api/executions/workflows/${workflow.body.id}/execute`, { body: {} });
  const { executionId } = execution.body;
  await untilEvent(own, executionId, ({ executionPath }) => executionPath.length === 1);
  const steps = await own('GET', `/api/executions/${executionId}/steps`);
  const queue = await own('POST', `/api/queues?projectId=${projectId}`, { body: { name: 'theirs' } });
  const item = await own('POST', `/api/queues/${queue.body.id}/items`, { body: { data: {}, externalId: 'theirs' } });
  const connection = await connect(own);
  await own('POST', `/api/projects/${projectId}/apps/upsert`, {
    body: {
      slug: 'theirs',
      runs: { on: 'http', baseUrl: 'https://theirs.example' },
      actions: [{ actionId: 'do' }],
    },
  });
  const type = await own('POST', '/api/object-types/upsert', {
    body: { slug: 'theirs', attributeSchema: { properties: { a: { type: 'string' } } } },
  });
  const object = await own('POST', '/api/objects', {
    body: { objectTypeSlug: 'theirs', name: 'An entity of theirs', attributes: { a: 'theirs' } },
  });
  const agent = await own('POST', `/api/projects/${projectId}/agents/upsert`, {
    body: { slug: 'theirs', instructions: 'An instruction of theirs', model: 'm' },
  });
  const task = await own('POST', `/api/agents/${agent.body.id}/tasks`, { body: { name: 'A task of theirs' } });
  const key = await own('POST', '/api/api-keys', { body: { name: 'theirs', permissions: ['agents:use'] } });
  const grant = await own('POST', `/api/agents/${agent.body.id}/grants`, {
    body: { subject: { type: 'apiKey', id: key.body.id } },
  });
  const fact = { fact: 'A fact of theirs', digest: Buffer.from('theirs') };
  const memory = await stackDatabase().agentMemory.create({
    data: { id: randomUUID(), workspaceId, agentId: agent.body.id, ...fact },
  });
  const session = await stackDatabase().session.findFirstOrThrow({ where: { member: { user: { email } } } });
  const invited = await own('POST', '/api/workspace/users', { body: { email: 'theirs@x.example', role: 'consumer' } });
  const subscription = await own('POST', '/api/event-subscriptions', {
    body: { url: 'https://theirs.example', events: ['object.changed'] },
  });
  const knowledge = await own('POST', '/api/knowledge', { body: { name: 'theirs' } });
  const knowledgePath = `/api/knowledge/${knowledge.body.id}`;
  await own('POST', `${knowledgePath}/saveUploadedText`, { body: { text: 'A text of theirs' } });
  const documents = await own('GET', `${knowledgePath}/documents`);
  const ids: Record<string, string> = {
    projectId,
    apiKeyId: key.body.id,
    eventSubscriptionId: subscription.body.id,
    grantId: grant.body.id,
    memoryId: memory.id,
    sessionId: session.id,
    userId: session.userId,
    workspaceId,
    invitationId: invited.body.id,
    agentId: agent.body.id,
    taskId: task.body.id,
    variableId: variable.body.id,
    workflowId: workflow.body.id,
    executionId,
    stepId: steps.body[0].id,
    nodeId: 'ask',
    version: '1',
    connectionId: connection,
    app: 'theirs',
    appId: 'theirs',
    actionId: 'theirs',
    objectId: object.body.id,
    queueId: queue.body.id,
    itemId: item.body.id,
    externalId: 'theirs',
    status: 'PENDING',
    slug: 'theirs',
    'objects id': object.body.id,
    'object-types id': type.body.id,
    entityTypeId: type.body.id,
    knowledgeId: knowledge.body.id,
    groupId: documents.body[0].groupId,
  };
  return { own, ids };
}

async function connect(own: Api): Promise<string> {
  const path = '/api/workflow-apps/http/connections/apiKey/connect';
  const apps = await own('GET', '/api/workflow-apps');
  const http = apps.body.find((app: { appId: string }) => app.appId === 'http');
  const type = http.connectionTypes.find((each: { type: string }) => each.type === 'apiKey');
  const credentials = Object.fromEntries(
    type.fields
      .filter((field: { required: boolean }) => field.required)
      .map((field: { key: string }) => [field.key, 'theirs']),
  );
  const made = await own('POST', path.replace('apiKey', type.connectionId), { body: { credentials } });
  expect(made.status).toBe(200);
  return made.body.id;
}

function filled(path: string, idOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name));
}

test.each(routes)('$method $path: an id of another workspace is as one that does not exist', async (route) => {
  const { method, path } = route;
  const body = exampleBody(document.paths[path]?.[method]);
  const options = body === undefined ? {} : { body };
  const foreign = await call(
    method.toUpperCase(),
    filled(path, (name) => idOfTheirs(path, name)),
    options,
  );
  const missing = await call(
    method.toUpperCase(),
    filled(path, () => randomUUID()),
    options,
  );
  expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
  expect(shapeOf(foreign.body)).toEqual(shapeOf(missing.body));
});

function idOfTheirs(path: string, name: string): string {
  const id = theirs.ids[name] ?? theirs.ids[`${path.split('/')[2]} ${name}`];
  if (id === undefined) throw new Error(`the test has no ${name} of another workspace: make one in filledWorkspace`);
  return id;
}

function shapeOf({ requestId: _, detail, ...problem }: { requestId: string; detail: string }) {
  return { ...problem, detail: detail.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'an id') };
}

test.each(['projects', 'variables', 'workflows', 'connections', 'executions', 'agents', 'tasks', 'knowledge'])(
  '%s list nothing of others',
  async (noun) => {
    const own = await call('GET', `/api/${noun}?limit=1000`);
    const ids = own.body.map((item: { id: string }) => item.id);
    for (const id of Object.values(theirs.ids)) expect(ids).not.toContain(id);
    expect((await theirs.own('GET', `/api/${noun}`)).body.length).toBeGreaterThan(0);
  },
);

test('entity types list nothing of others, and a type of theirs takes no entity', async () => {
  expect((await call('GET', '/api/object-types?includeDisabled=true')).body).toEqual([]);
  for (const named of [{ objectTypeSlug: 'theirs' }, { objectTypeId: theirs.ids['object-types id'] }]) {
    const refused = await call('POST', '/api/objects', { body: { ...named, name: 'Mine', attributes: { a: 'mine' } } });
    expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('a reference to an entity of another workspace is as one to none', async () => {
  await call('POST', '/api/object-types/upsert', { body: { slug: 'theirs' } });
  await call('POST', '/api/object-types/upsert', {
    body: { slug: 'mine', attributeSchema: { properties: { other: { type: 'string', 'x-objectType': 'theirs' } } } },
  });
  const body = { objectTypeSlug: 'mine', name: 'Mine', attributes: { other: theirs.ids['objects id'] } };
  const refused = await call('POST', '/api/objects', { body });
  expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'attributes.other' }] });
});

test('filters by ids of another workspace find nothing', async () => {
  const { projectId, workflowId } = theirs.ids;
  for (const path of [
    `/api/workflows?filterBy=projectId:${projectId}`,
    `/api/variables?filterBy=projectId:${projectId}`,
    `/api/variables?filterBy=projectAccessId:${projectId}`,
    `/api/agents?filterBy=projectId:${projectId}`,
    `/api/executions?filterBy=workflowId:${workflowId}`,
    `/api/executions?filterBy=projectId:${projectId}`,
  ]) {
    expect([path, (await call('GET', path)).body]).toEqual([path, []]);
  }
});

test.each(['cancel', 'retry'])('bulk %s reaches nothing of another workspace', async (what) => {
  for (const filter of [{ all: true }, { filterBy: `workflowId:${theirs.ids.workflowId}` }]) {
    const { status, body } = await call('POST', `/api/executions/bulk/${what}`, { body: filter });
    const skipped = what === 'retry' ? { skipped: 0 } : {};
    expect([status, body]).toEqual([200, { matched: 0, accepted: 0, failed: [], remaining: 0, ...skipped }]);
  }
});

test('ids of another workspace in bodies are refused', async () => {
  const { projectId, connectionId } = theirs.ids;
  const scoped = await call('POST', '/api/variables', { body: { name: 'B', value: 1, projectId } });
  expect(scoped.status).toBe(404);
  const step = {
    appId: 'http',
    actionId: 'request',
    inputs: { method: 'GET', url: 'http://127.0.0.1:1/' },
    connectionId,
  };
  const upsert = `/api/projects/${mine.projectId}/workflows/upsert`;
  expect((await call('POST', upsert, { body: { slug: 'x', steps: [step] } })).body.code).toBe('VALIDATION_FAILED');
  expect((await call('POST', '/api/runs', { body: { steps: [step] } })).body.code).toBe('VALIDATION_FAILED');
  expect((await call('POST', '/api/actions/run', { body: step })).body.code).toBe('VALIDATION_FAILED');
});

test('nothing of theirs was changed by all this', async () => {
  const { variableId } = theirs.ids;
  const { body } = await theirs.own('GET', `/api/variables/${variableId}?expansion=value`);
  expect(body).toEqual({ id: variableId, name: 'A', value: 'a value of theirs' });
  expect((await theirs.own('GET', '/api/workflows')).body).toHaveLength(1);
  const entity = await theirs.own('GET', `/api/objects/${theirs.ids['objects id']}?expansion=attributes`);
  expect(entity.body).toMatchObject({ name: 'An entity of theirs', attributes: { a: 'theirs' } });
  const found = await theirs.own('POST', `/api/knowledge/${theirs.ids.knowledgeId}/search`, {
    body: { query: 'theirs' },
  });
  expect(found.body.results).toMatchObject([{ groupId: theirs.ids.groupId, text: 'A text of theirs' }]);
  const executions = await theirs.own('GET', '/api/executions?expansion=status');
  expect(executions.body.map(({ status }: { status: string }) => status)).toEqual(['NEEDS_INPUT']);
});
