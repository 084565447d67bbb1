import { expect, test } from 'vitest';
import { PROBLEMS } from '../domain/problem.ts';
import { expansionsOf } from '../prisma/store/resourceQuery.ts';
import { RESOURCES } from '../prisma/store/resourceTables.ts';
import { type OpenApiOperation, parametersOf, readOpenApi, routesOf } from './openapi.ts';
import { OPERATIONS, PUBLIC_OPERATIONS } from './operations/table.ts';
import { describeResources } from './resourceDescriptions.ts';

const document = readOpenApi();
const routes = routesOf(document);
const operations: OpenApiOperation[] = Object.values(document.paths).flatMap((item) => Object.values(item));

test('every operation is served, and nothing else is', () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual(routes.map((route) => route.operationId).sort());
});

test('the operations without a caller are those that the contract calls public', () => {
  const open = routes.filter((route) => route.isPublic).map((route) => route.operationId);
  expect([...PUBLIC_OPERATIONS].sort()).toEqual(open.sort());
});

test('the codes of problems are those of the table, and each status lists its own', () => {
  const problem = document.components.schemas.Problem as { properties: { code: { enum: string[] } } };
  expect(problem.properties.code.enum).toEqual(Object.keys(PROBLEMS));
  const responses = document.components.responses as Record<string, { description: string; content: object }>;
  const text = Object.values(responses)
    .map(({ description }) => description)
    .join();
  for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`\`${code}\``);
});

test.each([...RESOURCES.values()])('the schema of a $name has the fields of its table', (resource) => {
  const name = resource.name.charAt(0).toUpperCase() + resource.name.slice(1);
  const schema = document.components.schemas[name] as { properties: object; required: string[] };
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(resource.fields).sort());
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
  expect(withoutKey.map((route) => route.operationId)).toEqual([
    'login',
    'refreshToken',
    'validateWorkflow',
    'testNode',
    'pauseWorkflow',
    'resumeWorkflow',
    'cancelExecution',
    'terminateExecution',
    'submitInput',
  ]);
});

test('the served document says what expansion, filterBy and includeType take, from the tables', () => {
  const served = describeResources(readOpenApi());
  for (const operation of Object.values(served.paths).flatMap((item) => Object.values(item))) {
    const resource = RESOURCES.get(String(operation['x-resource']));
    if (!resource) continue;
    const parameters = new Map(parametersOf(served, operation).map((each) => [each.name, each.description]));
    const kind = parameters.has('limit') ? 'list' : 'single';
    for (const name of expansionsOf(resource, kind)) expect(parameters.get('expansion')).toContain(`\`${name}\``);
    if (kind === 'single') continue;
    for (const key of Object.keys(resource.filters)) expect(parameters.get('filterBy')).toContain(`\`${key}\``);
    for (const flag of Object.keys(resource.flags)) expect(parameters.get('includeType')).toContain(`\`${flag}\``);
  }
});
