import { expect, it } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { type ImportedApp, importedApp } from './importedApp.ts';

const BASE = { openapi: '3.1.0', info: { title: 'Hostile', version: '1' }, servers: [{ url: 'https://x.example' }] };
const posted = (schema: object) => ({
  requestBody: { content: { 'application/json': { schema } } },
  responses: {},
});

async function imported(parts: object): Promise<ImportedApp> {
  // A parsed document shares no objects.
  const app = await importedApp(JSON.parse(JSON.stringify({ ...BASE, ...parts })));
  if ('problems' in app) throw new Error(JSON.stringify(app.problems));
  return app;
}

const rangeOf = <T>(count: number, of: (index: number) => [string, T]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));

it('thousands of operations with one operationId get numbers in linear time', async () => {
  const paths = rangeOf(20_000, (index) => [`/${index}`, { get: { operationId: 'same', responses: {} } }]);
  const { actions } = await imported({ paths });
  expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(20_000);
  expect(actions[1]?.actionId).toBe('same_2');
});

it('long names with the same beginning get numbers in linear time', async () => {
  const longId = (index: number) => 'x'.repeat(122) + String(100_000 + index);
  const paths = rangeOf(20_000, (index) => [
    `/${index}`,
    { get: { operationId: longId(index % 10_000), responses: {} } },
  ]);
  const { actions } = await imported({ paths });
  expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(20_000);
});

it('a schema of thousands of members is one field, however many operations merge it', async () => {
  const schemas = rangeOf(50, (part) => [
    `s${part}`,
    { properties: rangeOf(1_000, (index) => [`p${part}_${index}`, {}]) },
  ]);
  const allOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const paths = rangeOf(100, (index) => [`/${index}`, { post: posted({ type: 'object', allOf }) }]);
  const { actions } = await imported({ paths, components: { schemas } });
  expect(actions[99]?.inputConfig.fields.map(({ key }) => key)).toEqual(['body']);
});

it('alternatives of merged schemas do not multiply', async () => {
  const names = Array.from({ length: 50 }, (_, index) => ({ $ref: `#/components/schemas/s${index}` }));
  const schemas = rangeOf(50, (index) => [`s${index}`, { allOf: names, oneOf: names, anyOf: names }]);
  const paths = rangeOf(200, (index) => [`/${index}`, { post: posted({ allOf: names, oneOf: names }) }]);
  expect((await imported({ paths, components: { schemas } })).actions).toHaveLength(200);
});

it('a reference with an invalid escape is a problem, or unused, but no crash', async () => {
  const nested = { type: 'object', properties: { a: { type: 'object', properties: { b: { $ref: '#/a/%' } } } } };
  await imported({ paths: { '/a': { post: posted(nested) } } });
  const app = await importedApp({ ...BASE, paths: { '/a': { post: posted({ $ref: '#/a/%' }) } } });
  expect(app).toMatchObject({ problems: [{ message: 'the document has no #/a/%' }] });
});

it('the reduced document keeps all of a schema, also if a part of it is referred to first', async () => {
  const A = { type: 'object', required: ['c'], properties: { b: { type: 'string' }, c: { type: 'number' } } };
  const properties = {
    x: { $ref: '#/components/schemas/A/properties/b' },
    y: { $ref: '#/components/schemas/A' },
    z: { $ref: '#/paths/~1other/get/parameters/1/schema' },
  };
  const list = [
    { name: 'p', in: 'query' },
    { name: 'q', in: 'query', schema: { type: 'integer' } },
  ];
  const paths = {
    '/a': { post: { operationId: 'a', ...posted({ type: 'object', properties }) } },
    '/other': { get: { operationId: 'other', parameters: list, responses: {} } },
  };
  const app = await importedApp({ ...BASE, paths, components: { schemas: { A } } }, { operations: ['a'] });
  if ('problems' in app) throw new Error(JSON.stringify(app.problems));
  const reduced = JSON.parse(app.document) as { components: JsonObject; paths: JsonObject };
  expect(reduced.components).toEqual({ schemas: { A } });
  expect(reduced.paths['/other']).toEqual({ get: { parameters: list } });
});

it('names such as __proto__ are names', async () => {
  const text = JSON.stringify({
    ...{ ...BASE, security: [{ PROTO: [] }] },
    paths: {
      '/PROTO': {
        get: {
          operationId: 'PROTO',
          parameters: [
            { name: 'PROTO', in: 'query' },
            { name: 'constructor', in: 'header' },
          ],
        },
      },
    },
    components: { securitySchemes: { PROTO: { type: 'apiKey', in: 'header', name: 'x-key' } } },
  }).replaceAll('PROTO', '__proto__');
  const app = await importedApp(JSON.parse(text));
  expect(app).toMatchObject({
    actions: [{ actionId: '__proto__', inputConfig: { fields: [{ key: 'proto' }, { key: 'constructor' }] } }],
  });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
