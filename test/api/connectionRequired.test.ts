import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { credentialsOf } from '../setup/database/databaseCredentials.ts';
import { type OwnDatabase, startTcpDatabase } from '../setup/database/ownDatabase.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

let database: OwnDatabase;
let credentials: Record<string, unknown>;
beforeAll(async () => {
  database = await startTcpDatabase();
  const { port, ...texts } = credentialsOf(database.url);
  credentials = { ...texts, port: Number(port) };
});
afterAll(() => database?.dispose());

async function connect(home: Home, body: object = {}) {
  const path = '/api/workflow-apps/postgres/connections/custom/connect';
  return (await home.api('POST', path, { body: { credentials, ...body } })).body;
}

const step = { appId: 'postgres', actionId: 'query', inputs: { sql: 'SELECT $1::int AS n', parameters: [7] } };
const node = (connectionId?: string) =>
  action('ask', 'postgres.query', step.inputs, connectionId === undefined ? {} : { connectionId });
const runAction = (home: Home, more: object = {}) =>
  home.api('POST', '/api/actions/run', { body: { ...step, ...more } });
const runSteps = (home: Home, more: object = {}) =>
  home.api('POST', '/api/runs', { body: { steps: [{ ...step, ...more }] } });
const testNode = (home: Home, workflowId: string) =>
  home.api('POST', `/api/workflows/${workflowId}/nodes/ask/test`, { body: {} });

const GAVE = { status: 'COMPLETED', output: { rows: [{ n: 7 }], rowCount: 1, truncated: false } };
const COMPLETED = { status: 201, body: GAVE };

test('a connection is checked by connecting: a failure is an error, and not stored', async () => {
  const home = await makeHome();
  expect(await connect(home, { name: 'Mine' })).toMatchObject({ status: 'connected', name: 'Mine', isDefault: false });
  const failed = await connect(home, {
    credentials: { ...credentials, database: 'no_such', host: '127.0.0.1', port: 1 },
  });
  expect(failed).toMatchObject({ id: null, status: 'failed', message: expect.stringContaining('127.0.0.1:1') });
  const inside = await connect(home, { credentials: { ...credentials, host: '10.0.0.1' } });
  expect(inside).toMatchObject({ id: null, status: 'failed', message: expect.stringContaining('not a public host') });
  expect(JSON.stringify([failed, inside])).not.toContain(credentials.password);
  expect((await home.api('GET', '/api/connections')).body).toHaveLength(1);
});

test('without a connection nothing runs, and the error names the node', async () => {
  const home = await makeHome();
  const missing = { code: 'CONNECTION_REQUIRED', candidates: [] };
  expect(await runAction(home)).toMatchObject({
    status: 400,
    body: { ...missing, errors: [{ path: 'connectionId' }] },
  });
  expect(await runSteps(home)).toMatchObject({
    status: 400,
    body: { ...missing, errors: [{ path: 'steps[0].connectionId' }] },
  });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);

  // A workflow may be stored before its app is connected.
  const body = { slug: `w-${randomUUID()}`, nodes: [node()], edges: [] };
  const validated = await home.api('POST', '/api/workflows/validate', { body: { ...body, projectId: home.projectId } });
  expect(validated.body).toEqual({ valid: true, problems: [] });
  const workflowId = await home.deploy(body);
  expect(await testNode(home, workflowId)).toMatchObject({ status: 400, body: missing });
  const execution = await home.ended(await home.execute(workflowId));
  expect(execution).toMatchObject({ status: 'FAILED' });
  expect(stepOf(execution, 'ask').error).toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: 'Postgres has no connection: connect it first',
  });

  await connect(home);
  expect(await testNode(home, workflowId)).toMatchObject({ status: 200, body: GAVE });
  expect(await home.ended(await home.execute(workflowId))).toMatchObject(GAVE);
});

test('uses the only connection, however the step is run', async () => {
  const home = await makeHome();
  await connect(home);
  expect(await runAction(home)).toMatchObject(COMPLETED);
  expect(await runSteps(home)).toMatchObject(COMPLETED);
  const workflowId = await home.deploy({ nodes: [node()] });
  expect(await home.ended(await home.execute(workflowId))).toMatchObject(GAVE);
  expect(await testNode(home, workflowId)).toMatchObject({ status: 200, body: GAVE });
});

test('runs and workflows use the default of several connections; a single action must name one', async () => {
  const home = await makeHome();
  const broken = (await connect(home, { name: 'Old' })).id;
  const whole = (await connect(home, { name: 'New', isDefault: true })).id;
  // The result shows which connection was chosen by its database.
  await stackDatabase().$executeRaw`UPDATE connections SET credentials = '\\x00' WHERE id = ${broken}::uuid`;
  const candidates = [
    { id: whole, name: 'New', appId: 'postgres' },
    { id: broken, name: 'Old', appId: 'postgres' },
  ];
  const asked = await runAction(home);
  expect(asked).toMatchObject({ status: 400, body: { code: 'CONNECTION_REQUIRED' } });
  expect(asked.body.candidates).toEqual(candidates.map((each) => expect.objectContaining(each)));
  expect(await runAction(home, { connectionId: whole })).toMatchObject(COMPLETED);
  expect(await runSteps(home)).toMatchObject(COMPLETED);
  const workflowId = await home.deploy({ nodes: [node()] });
  expect(await home.ended(await home.execute(workflowId))).toMatchObject(GAVE);
  expect(await testNode(home, workflowId)).toMatchObject({ status: 200, body: GAVE });
});

test('uses none of several connections without a default', async () => {
  const home = await makeHome();
  const ids = [(await connect(home, { name: 'One' })).id, (await connect(home, { name: 'Two' })).id];
  for (const answer of [await runAction(home), await runSteps(home)]) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'CONNECTION_REQUIRED' } });
    expect(answer.body.candidates.map(({ id }: { id: string }) => id)).toEqual(ids);
  }
  const workflowId = await home.deploy({ nodes: [node()] });
  const tested = await testNode(home, workflowId);
  expect(tested.body.candidates.map(({ id }: { id: string }) => id)).toEqual(ids);
  const execution = await home.ended(await home.execute(workflowId));
  const { code, message } = stepOf(execution, 'ask').error;
  expect(code).toBe('CONNECTION_REQUIRED');
  for (const id of ids) expect(message).toContain(id);
  expect(await runSteps(home, { connectionId: ids[1] })).toMatchObject(COMPLETED);
});

test.each([
  ['of another workspace', async () => (await connect(await makeHome())).id],
  ['that is none', async () => randomUUID()],
  [
    'of another app',
    async (home: Home) => {
      const path = '/api/workflow-apps/http/connections/apiKey/connect';
      return (await home.api('POST', path, { body: { credentials: { apiKey: 'k', allowedHosts: ['a.example'] } } }))
        .body.id;
    },
  ],
])('a connection %s cannot be named', async (_, make) => {
  const home = await makeHome();
  await connect(home);
  const connectionId = await make(home);
  for (const answer of [await runAction(home, { connectionId }), await runSteps(home, { connectionId })]) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors[0].path).toMatch(/^(steps\[0\]\.)?connectionId$/);
  }
  const body = { slug: `w-${randomUUID()}`, nodes: [node(connectionId)], edges: [] };
  expect(await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body })).toMatchObject({
    status: 400,
    body: { errors: [{ path: expect.stringContaining('nodes[0].connectionId') }] },
  });
  const validated = await home.api('POST', '/api/workflows/validate', { body: { ...body, projectId: home.projectId } });
  expect(validated.body).toMatchObject({ valid: false, problems: [{ nodeId: 'ask' }] });
});

test('a connection that is deleted after the upsert fails its step, and no other takes its place', async () => {
  const home = await makeHome();
  const { id } = await connect(home, { name: 'Soon gone' });
  await connect(home, { name: 'Another' });
  const workflowId = await home.deploy({ nodes: [node(id)] });
  await stackDatabase().$executeRaw`DELETE FROM connections WHERE id = ${id}::uuid`;
  const execution = await home.ended(await home.execute(workflowId));
  expect(stepOf(execution, 'ask').error).toMatchObject({
    code: 'INVALID_INPUT',
    message: `connectionId: the connection ${id} does not exist`,
  });
  expect((await testNode(home, workflowId)).status).toBe(400);
});

test('each write happens once, and no read contains credentials', async () => {
  const home = await makeHome();
  await connect(home);
  const table = `orders_${randomUUID().slice(0, 8)}`;
  const execute = (sql: string, parameters: unknown[] = []) =>
    home.api('POST', '/api/actions/run', {
      body: { appId: 'postgres', actionId: 'execute', inputs: { sql, parameters } },
    });
  expect((await execute(`CREATE TABLE ${table} (id int, note text)`)).body.status).toBe('COMPLETED');
  const written = await execute(`INSERT INTO ${table} VALUES ($1, $2)`, [1, "'); DROP TABLE x; --"]);
  expect(written.body).toMatchObject({ status: 'COMPLETED', output: { rowCount: 1 } });
  const read = await home.api('POST', '/api/actions/run', {
    body: { ...step, inputs: { sql: `SELECT * FROM ${table}` } },
  });
  expect(read.body.output.rows).toEqual([{ id: 1, note: "'); DROP TABLE x; --" }]);
  const refused = await home.api('POST', '/api/actions/run', {
    body: { ...step, inputs: { sql: `DELETE FROM ${table}` } },
  });
  expect(refused.body).toMatchObject({ status: 'FAILED', error: { code: '25006' } });
  const everything = JSON.stringify([
    written.body,
    read.body,
    refused.body,
    (await home.api('GET', '/api/connections')).body,
  ]);
  expect(everything).not.toContain(String(credentials.password));
});
