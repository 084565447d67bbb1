import { expect, test } from '@jest/globals';
import { PROBLEMS } from '../domain/problem.ts';
import { NODE_TYPES, TRIGGER_TYPES } from '../domain/workflow/definition.ts';
import { EXECUTION } from '../prisma/store/execution/resource.ts';
import type { Named } from '../prisma/store/resource.ts';
import { expansionsOf } from '../prisma/store/resourceQuery.ts';
import { NAMED, RESOURCES } from '../prisma/store/resourceTables.ts';
import {
  isRowId,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  parametersOf,
  readOpenApi,
  routesOf,
} from './openapi.ts';
import { OPERATIONS, PUBLIC_OPERATIONS } from './operations/table.ts';
import { servedDocument } from './servedDocument.ts';

type Media = { content?: Record<string, object> };
type Schemas = Record<string, { pattern: string; $defs: Record<string, object> }>;

const document = readOpenApi();
const routes = routesOf(document);
const operations: OpenApiOperation[] = Object.values(document.paths).flatMap((item) => Object.values(item));

test('every operation is served, and nothing else is', () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual([...new Set(routes.map((route) => route.operationId))].sort());
});

test('exactly the operations that the contract calls public run without a caller', () => {
  const open = new Set(routes.filter((route) => route.isPublic).map((route) => route.operationId));
  expect([...PUBLIC_OPERATIONS].sort()).toEqual([...open].sort());
});

test('a PUT that x-also declares is the operation of its PATCH: one entry of the table serves both', () => {
  const variable = document.paths['/api/variables/{variableId}'] as Record<string, OpenApiOperation>;
  expect(variable.put).toMatchObject({ operationId: 'updateVariableByPut', 'x-same-as': 'updateVariable' });
  expect(variable.put?.requestBody).toEqual(variable.patch?.requestBody);
  const served = routes.filter((route) => route.operationId === 'updateVariable');
  expect(served.map(({ method }) => method)).toEqual(['put', 'patch']);
  const [put, patch] = served;
  expect({ ...put, method: 'patch' }).toEqual(patch);
});

function documentOf(paths: Record<string, object>): OpenApiDocument {
  const items = Object.entries(paths).map(([path, given]) => {
    const operation = { operationId: path, 'x-permission': null, responses: { 200: {} }, ...given };
    return [path, { get: operation }];
  });
  return { ...document, paths: Object.fromEntries(items) };
}

test('a literal path comes before one with a parameter, in any order of the document', () => {
  const paths = [
    '/api/things/{thingId}/{part}',
    '/api/things/{thingId}',
    '/api/things/{thingId}/all',
    '/api/things/search',
  ];
  for (const order of [paths, paths.toReversed()]) {
    const sorted = routesOf(documentOf(Object.fromEntries(order.map((path) => [path, {}])))).map(({ path }) => path);
    expect(sorted.indexOf('/api/things/search')).toBeLessThan(sorted.indexOf('/api/things/{thingId}'));
    expect(sorted.indexOf('/api/things/{thingId}/all')).toBeLessThan(sorted.indexOf('/api/things/{thingId}/{part}'));
  }
});

test('a redirect is a success; an operation without any is refused', () => {
  const [redirect, both] = routesOf(
    documentOf({ '/api/a': { responses: { 400: {}, 302: {} } }, '/api/b': { responses: { 303: {}, 201: {} } } }),
  );
  expect([redirect?.successStatus, both?.successStatus]).toEqual([302, 201]);
  expect(() => routesOf(documentOf({ '/api/a': { responses: { 400: {} } } }))).toThrow('has no success status');
});

test('permissions are a list: one name, an unknown one and an empty list are refused', () => {
  const permissionsOf = (permissions: unknown) =>
    routesOf(documentOf({ '/api/a': { 'x-permission': permissions } }))[0]?.permissions;
  expect(permissionsOf(['agents:read', 'agents:use'])).toEqual(['agents:read', 'agents:use']);
  expect(permissionsOf(null)).toBeUndefined();
  for (const wrong of ['agents:read', ['agents:reed'], [], undefined]) {
    expect(() => permissionsOf(wrong)).toThrow('neither a list of permissions');
  }
});

test('each id of a path is declared once: rows by a uuid, the names of definitions and of the catalogue by a text', () => {
  const inPaths = operations.flatMap((operation) => operation.parameters ?? []).filter((each) => !('$ref' in each));
  expect(inPaths.filter((parameter) => (parameter as OpenApiParameter).in === 'path')).toEqual([]);
  const ids = Object.values(document.components.parameters).filter((parameter) => parameter.in === 'path');
  const texts = ids.filter((parameter) => !isRowId(parameter));
  expect(texts.map(({ name, description }) => `${name}: ${description}`)).toEqual([
    'providerId: Id of an identity provider.',
    'projectId: Id or slug of a project.',
    'slug: Slug of a workflow of the project.',
    'version: Number of a version of the workflow.',
    'nodeId: Id of a node.',
    'appId: Id of an app of the catalogue.',
    'actionId: Id of an action of the app.',
    'connectionId: Id of a connection type of the app.',
    'digest: SHA-256 of the body, in lower-case hexadecimal digits.',
    'app: Id or slug of an app of the workspace.',
    'slug: Slug of an entity type.',
    'status: A status of queue items.',
    'externalId: The externalId of a queue item.',
    'taskId: The task; the client may choose it.',
  ]);
  for (const { schema } of texts) expect(schema).toEqual({ type: 'string', minLength: 1, maxLength: 200 });
  for (const { schema } of ids.filter(isRowId)) expect(schema).toEqual({ type: 'string', format: 'uuid' });
});

test('the contract has the problem codes of the table, and each status lists its own', () => {
  const problem = document.components.schemas.Problem as { properties: { code: { enum: string[] } } };
  expect(problem.properties.code.enum).toEqual(Object.keys(PROBLEMS));
  const responses = document.components.responses as Record<string, { description: string; content: object }>;
  const text = [document.info as { description: string }, ...Object.values(responses)]
    .map(({ description }) => description)
    .join();
  for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`\`${code}\``);
});

test.each([...RESOURCES.values()])('the schema of a $name has the fields of its table', (resource) => {
  const name = resource.name.charAt(0).toUpperCase() + resource.name.slice(1);
  const schema = document.components.schemas[name] as { properties: object; required: string[] };
  // A value that is too large for the answer becomes a link and its size.
  const members = Object.entries(resource.fields).flatMap(([field, { large, alsoAdds = [] }]) => [
    field,
    ...(large ? [`${field}Link`, `${field}Bytes`] : []),
    ...alsoAdds,
  ]);
  expect(Object.keys(schema.properties).sort()).toEqual([...new Set(members)].sort());
  expect(resource.defaults.list).toEqual(expect.arrayContaining(schema.required));
});

test('every body has an example, every answer a description, every POST that makes something a key', () => {
  for (const operation of operations) {
    const content = (operation.requestBody as { content?: Record<string, { examples?: object }> })?.content ?? {};
    for (const media of Object.values(content)) expect(Object.keys(media.examples ?? {})).not.toHaveLength(0);
    for (const response of Object.values(operation.responses)) {
      expect(response.$ref ?? response.description).toBeTruthy();
    }
  }
  const withoutKey = routes.filter((route) => route.method === 'post' && !route.takesIdempotencyKey);
  expect(withoutKey.map((route) => route.operationId).sort()).toEqual([
    'acceptInvitation',
    'acknowledgeExecution',
    'activateQueue',
    'cancelExecution',
    'changePassword',
    'confirm',
    'deactivateQueue',
    'disableSecondFactor',
    'enrollSecondFactor',
    'exchangeCredentialToken',
    'exportObjects',
    'heartbeatQueueItem',
    'importApp',
    'linkQueueItemExecution',
    'loadOptions',
    'login',
    'loginWithToken',
    'logout',
    'pauseWorkflow',
    'readConnectionTicket',
    'readLoginToken',
    'refreshToken',
    'replayEvents',
    'requestLoginLink',
    'restoreQueue',
    'resumeWorkflow',
    'searchKnowledge',
    'spendConnectionTicket',
    'submitInput',
    'switchWorkspace',
    'terminateExecution',
    'testConnection',
    'testNode',
    'testUnsavedNode',
    'validateWorkflow',
    'verifyLogin',
  ]);
});

test('every operation and tag has a description, every answer an example', () => {
  const tags = document.tags as { name: string; description: string }[];
  expect(tags.filter(({ description }) => !description)).toEqual([]);
  expect(operations.flatMap(({ tags: names }) => names as string[])).toEqual(
    expect.arrayContaining(tags.map(({ name }) => name)),
  );
  expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual([]);
  const shared = Object.values(document.components.responses as Record<string, Media>);
  const answers = [...shared, ...operations.flatMap(({ responses }) => Object.values(responses) as Media[])];
  const contents = answers.flatMap(({ content }) => Object.values(content ?? {}));
  expect(contents.filter((content) => !('example' in content || 'examples' in content))).toEqual([]);
});

function rowOf(value: unknown): object {
  if (Array.isArray(value)) return value[0];
  return (value as { items?: object[] }).items?.[0] ?? (value as object);
}

test.each([
  ...['Workflow', 'Execution', 'Queue', 'QueueItem', 'Agent', 'Task', 'Object'].flatMap((name) => [
    `list${name}s`,
    `get${name}`,
  ]),
  ...['listKnowledge', 'getKnowledge'],
])('%s shows a whole row first, with the expansions that it takes, and one without', (operationId) => {
  const operation = operations.find((each) => each.operationId === operationId) as OpenApiOperation;
  const answer = (operation.responses as Record<string, Media>)['200']?.content?.['application/json'];
  const { examples } = answer as { examples: Record<string, { summary: string; value: unknown }> };
  expect(Object.keys(examples)).toEqual(['expanded', 'default']);
  const [whole, plain] = [rowOf(examples.expanded?.value), rowOf(examples.default?.value)];
  const asked = examples.expanded?.summary.replace('expansion=', '').split(',') ?? [];
  expect(Object.keys(whole).sort()).toEqual([...Object.keys(plain), ...asked].sort());
  const { fields } = RESOURCES.get(operation['x-resource'] as string) as { fields: object };
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(asked));
  expect(asked.length).toBeGreaterThanOrEqual(6);
});

test('nodes and triggers have a schema for each type', () => {
  const typesOf = (name: string) =>
    Object.keys((document.components.schemas[name] as { discriminator: { mapping: object } }).discriminator.mapping);
  expect(typesOf('Node')).toEqual([...NODE_TYPES]);
  expect(typesOf('TriggerNode')).toEqual([...TRIGGER_TYPES]);
});

const served = servedDocument(readOpenApi(), undefined);
const naming = Object.values(served.paths)
  .flatMap((item) => Object.values(item))
  .filter((operation) => operation['x-resource'] !== undefined);

function enumerated(reference: unknown): unknown {
  const { $ref } = reference as { $ref: string };
  return served.components.schemas[$ref.replace('#/components/schemas/', '')]?.enum;
}

type ListSchema = { type: string; items: { pattern: string; $defs: { key: object } } };

test.each(naming)(
  'the served document lists the values of expansion, filterBy and includeType of $operationId',
  (operation) => {
    const named = NAMED.get(String(operation['x-resource'])) as Named;
    const parameters = new Map(parametersOf(served, operation).map((each) => [each.name, each]));
    const kind = parameters.has('limit') ? 'list' : 'single';
    const itemsOf = (name: string) => {
      const { style, explode, schema } = parameters.get(name) as OpenApiParameter;
      expect([style, explode, schema?.type]).toEqual(['form', false, 'array']);
      return (schema as ListSchema).items;
    };
    const descriptionOf = (name: string) => parameters.get(name)?.description;
    if (parameters.has('expansion')) {
      const { fields = {} } = named;
      const names = expansionsOf({ fields }, kind);
      expect(enumerated(itemsOf('expansion'))).toEqual(names);
      for (const name of names) expect(descriptionOf('expansion')).toContain(`\`${name}\``);
    }
    if (parameters.has('filterBy')) {
      const keys = Object.keys(named.filters);
      const { pattern, $defs } = itemsOf('filterBy');
      expect(enumerated($defs.key)).toEqual(keys);
      for (const key of keys) {
        expect(descriptionOf('filterBy')).toContain(`\`${key}\``);
        expect([`${key}:a:b`, key, `${key}s:a`].map((text) => new RegExp(pattern).test(text))).toEqual([
          true,
          false,
          false,
        ]);
      }
    }
    if (parameters.has('includeType')) {
      expect(enumerated(itemsOf('includeType'))).toEqual(Object.keys(named.flags));
      for (const flag of Object.keys(named.flags)) expect(descriptionOf('includeType')).toContain(`\`${flag}\``);
    }
  },
);

test('omits a parameter for which a resource has no names, and throws for an unknown resource', () => {
  const parameters = ['Expansion', 'FilterBy', 'IncludeType'].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  const servedOf = (name: string) =>
    servedDocument(structuredClone(documentOf({ '/api/a': { 'x-resource': name, parameters } })), undefined);
  const shown = servedOf('session');
  expect(parametersOf(shown, shown.paths['/api/a']?.get as OpenApiOperation).map(({ name }) => name)).toEqual([
    'expansion',
  ]);
  expect(() => servedOf('nothing')).toThrow('/api/a names an unknown resource nothing');
});

test('operations on many executions take the names of their list in the body', () => {
  const bulk = naming.filter(({ operationId }) => /^bulk.*Executions$/.test(operationId));
  expect(bulk.map(({ operationId }) => operationId).sort()).toEqual([
    'bulkAcknowledgeExecutions',
    'bulkCancelExecutions',
    'bulkRetryExecutions',
  ]);
  for (const { requestBody } of bulk) {
    const content = (requestBody as { content: Record<string, { schema: { properties: Schemas } }> }).content;
    const { filterBy, includeType } = content['application/json']?.schema.properties ?? {};
    expect(enumerated(filterBy?.$defs.key)).toEqual(Object.keys(EXECUTION.filters));
    expect(enumerated(includeType?.$defs.flag)).toEqual(Object.keys(EXECUTION.flags));
    const takes = (schema: Schemas[string] | undefined, text: string) => new RegExp(String(schema?.pattern)).test(text);
    expect(['', 'status:FAILED,name:a:b', 'status', 'nothing:1'].map((text) => takes(filterBy, text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['all,internal', 'some'].map((text) => takes(includeType, text))).toEqual([true, false]);
  }
});

test('the served document names the URL of the deployment', () => {
  expect(served.servers).toMatchObject([{ url: '/' }]);
  const { servers } = servedDocument(readOpenApi(), 'https://automation.example/');
  expect(servers).toEqual([{ url: 'https://automation.example', description: 'This deployment.' }]);
});
