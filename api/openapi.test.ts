import { expect, test } from '@jest/globals';
import { PROBLEMS } from '../domain/problem.ts';
import { NODE_TYPES, TRIGGER_TYPES } from '../domain/workflow/definition.ts';
import type { Resource } from '../prisma/store/resource.ts';
import { expansionsOf } from '../prisma/store/resourceQuery.ts';
import { RESOURCES } from '../prisma/store/resourceTables.ts';
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

/** An answer, as far as these tests look into it. */
type Media = { content?: Record<string, object> };

const document = readOpenApi();
const routes = routesOf(document);
const operations: OpenApiOperation[] = Object.values(document.paths).flatMap((item) => Object.values(item));

test('every operation is served, and nothing else is', () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual([...new Set(routes.map((route) => route.operationId))].sort());
});

test('the operations without a caller are those that the contract calls public', () => {
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

/** A document of operations that have what each must have, and what is given. */
function documentOf(paths: Record<string, object>): OpenApiDocument {
  const items = Object.entries(paths).map(([path, given]) => {
    const operation = { operationId: path, 'x-permission': null, responses: { 200: {} }, ...given };
    return [path, { get: operation }];
  });
  return { ...document, paths: Object.fromEntries(items) };
}

test('a literal path comes before one with a parameter, whatever the order of the document', () => {
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
    'nodeId: Id of a node.',
    'appId: Id of an app of the catalogue.',
    'connectionId: Id of a connection type of the app.',
  ]);
  for (const { schema } of texts) expect(schema).toEqual({ type: 'string', minLength: 1, maxLength: 200 });
  for (const { schema } of ids.filter(isRowId)) expect(schema).toEqual({ type: 'string', format: 'uuid' });
});

test('the codes of problems are those of the table, and each status lists its own', () => {
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
  // A value that does not fit the answer is a link and its size.
  const members = Object.entries(resource.fields).flatMap(([field, { large }]) =>
    large ? [field, `${field}Link`, `${field}Bytes`] : [field],
  );
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
    'cancelExecution',
    'login',
    'pauseWorkflow',
    'refreshToken',
    'resumeWorkflow',
    'submitInput',
    'terminateExecution',
    'testNode',
    'validateWorkflow',
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

test('nodes and triggers have a schema for each type', () => {
  const typesOf = (name: string) =>
    Object.keys((document.components.schemas[name] as { discriminator: { mapping: object } }).discriminator.mapping);
  expect(typesOf('Node')).toEqual([...NODE_TYPES]);
  expect(typesOf('TriggerNode')).toEqual([...TRIGGER_TYPES]);
});

const served = servedDocument(readOpenApi(), undefined);
const reads = Object.values(served.paths)
  .flatMap((item) => Object.values(item))
  .filter((operation) => RESOURCES.has(String(operation['x-resource'])));

test.each(reads)(
  'the served document names what expansion, filterBy and includeType of $operationId take',
  (operation) => {
    const resource = RESOURCES.get(String(operation['x-resource'])) as Resource;
    const parameters = new Map(parametersOf(served, operation).map((each) => [each.name, each]));
    const kind = parameters.has('limit') ? 'list' : 'single';
    const takes = (name: string, value: string) =>
      new RegExp(String(parameters.get(name)?.schema?.pattern)).test(value);
    for (const name of expansionsOf(resource, kind)) {
      expect(parameters.get('expansion')?.description).toContain(`\`${name}\``);
      expect(takes('expansion', `id,${name}`)).toBe(true);
    }
    expect([takes('expansion', ''), takes('expansion', 'nothing'), takes('expansion', 'id,')]).toEqual([
      true,
      false,
      false,
    ]);
    for (const key of parameters.has('filterBy') ? Object.keys(resource.filters) : []) {
      expect(parameters.get('filterBy')?.description).toContain(`\`${key}\``);
      expect([takes('filterBy', `${key}:a:b`), takes('filterBy', `${key}`)]).toEqual([true, false]);
    }
    for (const flag of parameters.has('includeType') ? Object.keys(resource.flags) : []) {
      expect(parameters.get('includeType')?.description).toContain(`\`${flag}\``);
      expect([takes('includeType', flag), takes('includeType', `${flag}s`)]).toEqual([true, false]);
    }
  },
);

test('the served document names the URL of the deployment', () => {
  expect(served.servers).toMatchObject([{ url: '/' }]);
  const { servers } = servedDocument(readOpenApi(), 'https://automation.example/');
  expect(servers).toEqual([{ url: 'https://automation.example', description: 'This deployment.' }]);
});
