import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPermission } from '../../domain/access/permission.ts';
import { type ActionManifest, findAction } from '../../domain/app/manifest.ts';
import { checkFields } from '../../domain/fieldDeclaration.ts';
import { checkFieldValues } from '../../domain/fieldValues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { Evaluation } from '../../engine/evaluation/evaluation.ts';
import type { Database } from '../../prisma/client.ts';
import { outputProblems } from '../../test/setup/api/outputProblems.ts';
import { credentialsOf } from '../../test/setup/database/databaseCredentials.ts';
import {
  type MigratedDatabase,
  type OwnDatabase,
  startMigratedDatabase,
  startTcpDatabase,
} from '../../test/setup/database/ownDatabase.ts';
import { expectAbout } from '../../test/setup/jest/expectAbout.ts';
import { startModelProvider } from '../../test/setup/providers/modelProvider.ts';
import { say } from '../../test/setup/providers/modelScript.ts';
import { startSmtpServer, type TestSmtpServer } from '../../test/setup/providers/smtpServer.ts';
import { buildOpenAiClient } from '../providers/openAiClient.ts';
import { buildCatalogue } from './catalogue.ts';
import type { ActionCall } from './executor.ts';
import { buildExecutors, executorTable } from './executors.ts';
import { startTestServer, type TestServer } from './http/badServer.ts';
import { buildPollers, pollerTable } from './pollers.ts';
import { runExecutor } from './runExecutor.ts';
import { WEBHOOK_RECEIVERS } from './webhookReceivers.ts';

const catalogue = buildCatalogue({ testing: true });
const actions = [...catalogue.values()].flatMap((app) =>
  app.actions.map((action): [string, ActionManifest] => [`${app.appId}.${action.actionId}`, action]),
);
const OF_QUEUE = {
  ...{ workspaceId: '01935b1e-7c00-7c4f-8d6a-000000000001', projectId: '01935b1e-7c00-7c4f-8d6a-000000000002' },
  ...{ queueId: '01935b1e-7c00-7c4f-8d6a-000000000003', executionId: '01935b1e-7c00-7c4f-8d6a-000000000004' },
};
const ITEMS = ['5', '6', '7'].map((last) => `01935b1e-7c00-7c4f-8d6a-00000000000${last}`);
const settings = {
  get database() {
    return queues?.database as Database;
  },
  allowedPrivateHosts: ['127.0.0.1'],
  openAiClient: buildOpenAiClient({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 100_000 }),
  maxResponseBytes: 1_000,
  maxOutputBytes: 1_000,
  maxRows: 100,
  maxClients: 2,
  maxMailBytes: 100_000,
  maxMySqlRows: 100,
  maxMySqlClients: 2,
  maxCodeThreads: 1,
  maxCodeTimeoutMs: 60_000,
  maxCodeMemoryMb: 128,
  maxCodeConsoleBytes: 1_000,
  maxObjectBytes: 1_000,
  evaluation: new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000 }),
};

const ORDERS = [
  { name: 'Grace', city: 'London', total: 7 },
  { name: 'Ada', city: 'London', total: 42 },
];
const names = (total: number) => ({ name: total === 42 ? 'Ada' : 'Grace', total });

const EXAMPLES: Record<string, JsonObject> = {
  'core.set': { values: { customer: 'Ada', total: 42 } },
  'core.transform': { value: { names: ['Ada', 'Grace'] } },
  'core.filter': { items: [names(7), names(42)], where: [{ field: 'total', operator: 'greaterThan', value: 10 }] },
  'core.sort': { items: [names(7), names(42)], by: [{ field: 'total', direction: 'desc' }] },
  'core.group': { items: [{ name: 'Ada', city: 'London' }], by: 'city' },
  'core.summarise': {
    items: ORDERS,
    by: 'city',
    measures: [
      { field: 'total', operation: 'sum' },
      { operation: 'count', as: 'orders' },
    ],
  },
  'core.mergeLists': { left: [{ id: 1, name: 'Ada' }], right: [{ id: 1, total: 42 }], mode: 'join', on: 'id' },
  'core.assert': { condition: true },
  'text.template': {
    template: 'Dear {customer.name}, {count} parcels left.',
    values: { customer: { name: 'Ada' }, count: 3 },
  },
  'text.split': { text: 'red, green, blue' },
  'text.join': { items: ['red', 'green', 'blue'] },
  'text.match': { text: 'seats A-17', pattern: '(?P<row>[A-Z])-(?P<seat>\\d+)' },
  'text.replace': { text: '21.11.2026', pattern: '(\\d+)\\.(\\d+)\\.(\\d+)', replacement: '$3-$2-$1' },
  'text.parseCsv': { text: 'sku,count\nA-1,2\n', inferTypes: true },
  'text.writeCsv': { rows: [{ sku: 'A-1', count: 2 }] },
  'text.parseJson': { text: '{"sku":"A-1","count":2}' },
  'text.writeJson': { value: { sku: 'A-1', count: 2 } },
  'http.request': { url: 'http://127.0.0.1:PORT/person' },
  'postgres.query': { sql: 'SELECT id, name FROM people WHERE id = $1', parameters: [17] },
  'postgres.execute': {
    sql: 'INSERT INTO people (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = $2 RETURNING id',
    parameters: [18, 'Grace'],
  },
  'openai.chat': { model: 'gpt-5-mini', system: 'Greet.', prompt: 'Ada' },
  'openai.structured': {
    model: 'gpt-5-mini',
    prompt: 'Where does Ada live?',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  'openai.embedding': { model: 'text-embedding-3-small', input: 'Ada', dimensions: 2 },
  'smtp.send': { to: 'ada@example.com', from: 'shop@example.com', subject: 'Your order', text: 'It is on its way.' },
  'queue.add': { queueId: OF_QUEUE.queueId, data: { n: 1 } },
  'queue.complete': { itemId: ITEMS[0] as string },
  'queue.fail': { itemId: ITEMS[1] as string, message: 'No such order' },
  'queue.postpone': { itemId: ITEMS[2] as string, until: '2126-11-21T10:15:30Z' },
  'queue.find': { queueId: OF_QUEUE.queueId, externalId: 'none' },
  'crypto.hash': { text: 'hello' },
  'crypto.hmac': { text: 'hello', secret: 'secret' },
  'crypto.uuid': {},
  'crypto.base64': { text: 'hello' },
  'code.javascript': { code: 'return { total: input.a + input.b };', input: { a: 40, b: 2 } },
  'testing.succeed': { output: { ok: true } },
  'testing.fail': { times: 2 },
  'testing.wait': { ms: 5 },
  'testing.payload': { bytes: 4 },
};
/** Actions whose output contains a time, a random port or a key, so that only its shape is compared. */
const SHAPE_ONLY = new Set([
  'http.request',
  'testing.wait',
  'queue.add',
  'queue.complete',
  'queue.fail',
  'queue.postpone',
]);

let server: TestServer;
let database: OwnDatabase;
let mailServer: TestSmtpServer;
let queues: MigratedDatabase | undefined;
const connections: Record<string, NonNullable<ActionCall['connection']>> = {};
beforeAll(async () => {
  server = await startTestServer();
  database = await startTcpDatabase();
  mailServer = await startSmtpServer();
  const { hostname, port } = new URL(mailServer.url);
  connections.smtp = { type: 'custom', credentials: { host: hostname, port } };
  queues = await startMigratedDatabase();
  await fillQueue(queues.database);
  connections.postgres = { type: 'custom', credentials: credentialsOf(database.url) };
  const execute = buildExecutors(settings)('postgres', 'execute');
  for (const sql of ['CREATE TABLE people (id int PRIMARY KEY, name text)', "INSERT INTO people VALUES (17, 'Ada')"]) {
    const made = await runExecutor(execute, { sql }, { connection: connections.postgres });
    if (!made.ok) throw new Error(made.failure.message);
  }
}, 90_000);
afterAll(() => Promise.all([server.close(), database?.dispose(), queues?.dispose(), mailServer?.dispose()]));

async function fillQueue({ pool }: Database): Promise<void> {
  const { workspaceId, projectId, queueId, executionId } = OF_QUEUE;
  await pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspaceId]);
  await pool.query("INSERT INTO projects (id, workspace_id, name) VALUES ($1, $2, 'p')", [projectId, workspaceId]);
  await pool.query("INSERT INTO queues (id, workspace_id, project_id, name) VALUES ($1, $2, $3, 'q')", [
    ...[queueId, workspaceId, projectId],
  ]);
  await pool.query(
    `INSERT INTO executions (id, workspace_id, definition, number, name, source, trigger, variables)
     VALUES ($1, $2, '{}', 1, 'e', 'SDK', '{}', '{}')`,
    [executionId, workspaceId],
  );
  await pool.query(
    `INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, status, execution_id, last_execution_id)
     SELECT unnest($4::uuid[]), $1, $2, '{}', '{}', 'PROCESSING', $3, $3`,
    [workspaceId, queueId, executionId, ITEMS],
  );
}

describe('the catalogue', () => {
  it('has the testing app only on request', () => {
    expect([...catalogue.keys()]).toEqual(
      expect.arrayContaining(['core', 'text', 'http', 'crypto', 'code', 'testing']),
    );
    const without = [...catalogue.keys()].filter((appId) => appId !== 'testing');
    expect([...buildCatalogue({ testing: false }).keys()]).toEqual(without);
  });

  it('has an executor for each action, and an action for each executor', () => {
    const executors = Object.entries(executorTable(settings)).flatMap(([appId, table]) =>
      Object.keys(table).map((actionId) => `${appId}.${actionId}`),
    );
    expect(executors.toSorted()).toEqual(
      actions
        .filter(([, { placement }]) => placement !== 'child')
        .map(([id]) => id)
        .toSorted(),
    );
    expect(() => buildExecutors(settings)('core', 'nothing')).toThrow('This build has no action core.nothing');
  });

  it('has a poller or a receiver for each trigger, and a trigger for each of them', () => {
    const files = { filesRoot: undefined, maxItems: 1, allowedPrivateHosts: [], database: undefined as never };
    const request = buildExecutors(settings)('http', 'request');
    const pollers = Object.entries(pollerTable({ http: request, rss: request }, files)).flatMap(([appId, table]) =>
      Object.keys(table).map((triggerId) => `${appId}.${triggerId}`),
    );
    const triggers = [...catalogue.values()].flatMap((app) => app.triggers.map((each) => ({ ...each, app })));
    const idsOf = (isSent: boolean) =>
      triggers
        .filter(({ webhook }) => (webhook !== undefined) === isSent)
        .map(({ app, triggerId }) => `${app.appId}.${triggerId}`)
        .toSorted();
    expect(pollers.toSorted()).toEqual(idsOf(false));
    expect(Object.keys(WEBHOOK_RECEIVERS).toSorted()).toEqual(idsOf(true));
    for (const { name, description, inputConfig } of triggers) {
      expect(name).not.toBe('');
      expect(description).toMatch(/\.$/);
      expect(checkFields(inputConfig.fields, 'fields')).toEqual([]);
    }
    expect(() => buildPollers({ http: request, rss: request }, files)('core', 'nothing')).toThrow(
      'No poller for core.nothing.',
    );
  });

  it('is data: it pulls in no executor and no package', () => {
    const read = new Set<string>();
    const visit = (url: URL) => {
      if (read.has(url.href)) return;
      read.add(url.href);
      const source = readFileSync(url, 'utf8');
      for (const [, from = ''] of source.matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)'/gm)) {
        expectAbout(from, `${url.pathname} imports ${from}`).toMatch(/^\.{1,2}\//);
        visit(new URL(from, url));
      }
    };
    visit(new URL('./catalogue.ts', import.meta.url));
    expect([...read].filter((href) => /\/executors?\.ts$/.test(href))).toEqual([]);
    expect(read.size).toBeGreaterThan(5);
  });

  it('survives JSON unchanged', () => {
    const apps = [...catalogue.values()];
    expect(JSON.parse(JSON.stringify(apps))).toEqual(apps);
  });

  it('has names, texts and icons throughout', () => {
    for (const app of catalogue.values()) {
      const named = [{ ...app, id: app.appId }, ...app.actions.map((action) => ({ ...action, id: action.actionId }))];
      expect(new Set(app.actions.map(({ actionId }) => actionId)).size).toBe(app.actions.length);
      for (const { id, name, description, icon } of named) {
        expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
        expect(name).not.toBe('');
        expect(description).toMatch(/\.$/);
        expect(icon ?? app.icon).toMatch(
          /^<svg [^>]*viewBox="0 0 24 24"[^>]*currentColor[^>]*>(<[a-z]+ [^<>]*\/>)+<\/svg>$/,
        );
      }
      for (const { fields } of app.connectionTypes) expect(checkFields(fields, 'fields')).toEqual([]);
    }
  });
});

/** Executors that do not run here: those of the platform need a workspace, some services have a fixed address, and MariaDB is large. */
const RUN_ELSEWHERE = ['objects.', 'agent.', 'github.', 'slack.', 'mysql.', 's3.', 'imap.'];
const alone = actions.filter(([id]) => !RUN_ELSEWHERE.some((prefix) => id.startsWith(prefix)));

const OPEN_OUTPUT = ['core.transform', 'text.parseJson', 'code.javascript', 'testing.succeed'];

it('every other action has the schema of its output, which its example fits', () => {
  const open = actions.filter(([, { outputSchema }]) => outputSchema === undefined).map(([id]) => id);
  expect(open.sort()).toEqual([...OPEN_OUTPUT].sort());
  for (const [id, action] of actions) {
    expectAbout(outputProblems(action, action.outputExample ?? null), id).toEqual([]);
  }
});

it('every other action has an example', () => {
  expect(alone.map(([id]) => id).filter((id) => EXAMPLES[id] === undefined)).toEqual([]);
});

describe.each(alone)('%s', (id, action) => {
  const example = () => {
    const inputs = EXAMPLES[id] as JsonObject;
    return typeof inputs.url === 'string'
      ? { ...inputs, url: inputs.url.replace('PORT', String(server.port)) }
      : inputs;
  };
  const [appId = '', actionId = ''] = id.split('.');
  const executor = () => buildExecutors(settings)(appId, actionId);
  const run = async (inputs: JsonObject) => {
    if (appId === 'openai') connections.openai = await connectionOfModel();
    const connection = action.requiresConnection ? connections[appId] : undefined;
    return runExecutor(executor(), inputs, { origin: OF_QUEUE, attempt: 3, ...(connection ? { connection } : {}) });
  };

  it('declares valid fields', () => {
    expect(findAction(catalogue, appId, actionId)).toBe(action);
    expect(checkFields(action.inputConfig.fields, 'fields', 'ofApp')).toEqual([]);
    const { problems } = checkFieldValues(action.inputConfig.fields, example(), 'reject');
    expect(problems).toEqual([]);
  });

  it('returns its outputExample, with and without the defaults of its fields', async () => {
    const filled = checkFieldValues(action.inputConfig.fields, example(), 'reject').values;
    for (const inputs of [example(), filled]) {
      const result = await run(inputs);
      if (!result.ok) throw new Error(result.failure.message);
      expect(outputProblems(action, result.output)).toEqual([]);
      if (SHAPE_ONLY.has(id)) expect(shape(result.output)).toEqual(shape(action.outputExample ?? null));
      else expect(result.output).toEqual(action.outputExample);
    }
  });

  it('reads each of its fields', async () => {
    for (const field of action.inputConfig.fields.filter(({ type }) => type !== 'json')) {
      const result = await run({ ...example(), [field.key]: { not: field.type } });
      expect(result).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT' } });
      expect((result as { failure: { message: string } }).failure.message).toMatch(
        new RegExp(`^${field.key}: expected`),
      );
    }
  });

  it('accepts empty values from forms', async () => {
    const empty = Object.fromEntries(
      action.inputConfig.fields
        .filter(
          ({ key, required, type }) =>
            !required && !(key in example()) && ['select', 'number', 'boolean'].includes(type),
        )
        .map(({ key }) => [key, '']),
    );
    expect(await run({ ...empty, ...example() })).toMatchObject({ ok: true });
  });
});

/** Independent of the manifests: an action or a trigger that reads or changes the workspace needs a row here. */
const PERMISSIONS_OF: Record<string, string[]> = {
  'objects.create': ['objects:write'],
  'objects.update': ['objects:write'],
  'objects.setState': ['objects:write'],
  'objects.find': ['objects:read'],
  'objects.changed': ['objects:read'],
  'queue.add': ['queues:write'],
  'queue.complete': ['queues:write'],
  'queue.fail': ['queues:write'],
  'queue.postpone': ['queues:write'],
  'queue.find': ['queues:read'],
  'agent.run': ['agents:use', 'agents:read'],
};
/** Their actions and triggers read their inputs and the outside world, never a row of the workspace. */
const OUTSIDE = [
  ...['core', 'text', 'http', 'postgres', 'openai', 'crypto', 'code', 'rss', 'files', 'github', 'testing'],
  ...['slack', 'smtp', 'mysql', 's3', 'imap'],
];

it('each action and trigger declares the permissions that it needs', () => {
  const all = [...catalogue.values()].flatMap(({ appId, actions, triggers }) => [
    ...actions.map(({ actionId, permissions }) => ({ appId, id: `${appId}.${actionId}`, permissions })),
    ...triggers.map(({ triggerId, permissions }) => ({ appId, id: `${appId}.${triggerId}`, permissions })),
  ]);
  expect(all.filter(({ permissions }) => !Array.isArray(permissions) || !permissions.every(isPermission))).toEqual([]);
  const touching = all.filter(({ appId }) => !OUTSIDE.includes(appId));
  expect(Object.fromEntries(touching.map(({ id, permissions }) => [id, permissions]))).toEqual(PERMISSIONS_OF);
  expect(all.filter(({ appId, permissions }) => OUTSIDE.includes(appId) && permissions.length > 0)).toEqual([]);
});

async function connectionOfModel(): Promise<NonNullable<ActionCall['connection']>> {
  const provider = await startModelProvider();
  provider.answerBy(({ body }) => [
    { usage: { prompt: 21, completion: 2 } },
    ...say(body.response_format === undefined ? 'Hello Ada' : '{"city":"London"}'),
  ]);
  return { type: 'apiKey', credentials: { apiKey: 'k', baseUrl: provider.baseUrl } };
}

function shape(value: Json, key = ''): Json {
  if (!isJsonObject(value)) return Array.isArray(value) ? 'list' : typeof value;
  if (key === 'headers') return 'object';
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shape(entry, name)]));
}
