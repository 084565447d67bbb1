import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { imported, problemsOf } from '../../test/setup/documents/importedDocument.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { type ImportedApp, importedApp } from './importedApp.ts';
import { planOf } from './operationPlan.ts';
import { requestParts } from './operationRequest.ts';
import { operationsOf } from './operations.ts';
import { References } from './references.ts';

const SHOP: JsonObject = {
  swagger: '2.0',
  info: { title: 'Shop' },
  host: 'shop.example',
  basePath: '/v1',
  schemes: ['http', 'https'],
  consumes: ['application/json'],
  produces: ['application/json'],
};

const documentOf = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({ ...SHOP, paths, ...more });

/** The parts of the request that the only operation of a stored app sends. */
function requestOf({ document }: ImportedApp, inputs: JsonObject) {
  const stored = JSON.parse(document) as JsonObject;
  const fail = (problem: object) => {
    throw new Error(JSON.stringify(problem));
  };
  const references = new References(stored, fail);
  const [found] = operationsOf(stored, references);
  if (!found) throw new Error('no operation');
  return requestParts(found.path, planOf(found, references, fail), inputs);
}

const tea = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, price: { type: 'number' } } };

describe('a document of Swagger 2.0', () => {
  it('gives actions with fields, the address and the schema of the answer', async () => {
    const post: JsonObject = {
      operationId: 'addTea',
      parameters: [
        { name: 'shop', in: 'path', required: true, type: 'string' },
        { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Tea' } },
        { name: 'X-Trace', in: 'header', type: 'integer', description: 'A trace.' },
        { $ref: '#/parameters/Language' },
      ],
      responses: { 200: { description: 'done', schema: { $ref: '#/definitions/Tea' } } },
    };
    const document = documentOf(
      { '/{shop}/teas': { post } },
      {
        definitions: {
          Tea: { ...tea, properties: { ...tea.properties, note: { type: 'string', 'x-nullable': true } } },
        },
        parameters: { Language: { name: 'lang', in: 'query', type: 'string', enum: ['de', 'en'], default: 'de' } },
      },
    );
    const app = await imported(document);
    expect(app.actions[0]?.inputConfig.fields).toMatchObject([
      { key: 'shop', type: 'text', required: true },
      { key: 'lang', type: 'select', required: false, default: 'de' },
      { key: 'X-Trace', type: 'number', required: false, help: 'A trace.' },
      { key: 'name', type: 'text', required: true },
      { key: 'price', type: 'number', required: false },
      { key: 'note', type: 'text', required: false },
    ]);
    expect(app.actions[0]?.outputSchema?.properties?.body).toMatchObject({
      properties: { name: { type: 'string' }, note: { type: ['string', 'null'] } },
    });
    expect(JSON.parse(app.document)).toMatchObject({ servers: [{ url: 'https://shop.example/v1' }] });
    const request = requestOf(app, { shop: 'a', lang: 'en', 'X-Trace': 1, name: 'Assam', note: null });
    expect(request).toMatchObject({
      path: '/a/teas',
      query: [['lang', 'en']],
      headers: { 'x-trace': '1' },
      body: { contentType: 'application/json', text: '{"name":"Assam","note":null}' },
    });
  });

  it.each([
    ['csv', 'ids=1,2'],
    ['ssv', 'ids=1 2'],
    ['pipes', 'ids=1|2'],
    ['multi', 'ids=1&ids=2'],
  ])('sends lists as %s', async (collectionFormat, expected) => {
    const parameters = [{ name: 'ids', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat }];
    const app = await imported(documentOf({ '/a': { get: { parameters } } }));
    expect(
      requestOf(app, { ids: [1, 2] })
        .query.map((pair) => pair.join('='))
        .join('&'),
    ).toBe(expected);
  });

  it('has forms, also of the path and of shared parameters', async () => {
    const list = { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' } };
    const document = documentOf(
      {
        '/a': {
          post: { parameters: [{ $ref: '#/parameters/Name' }, list] },
          parameters: [{ name: 'shop', in: 'formData', type: 'string', required: true }],
        },
      },
      { parameters: { Name: { name: 'name', in: 'formData', type: 'string' } } },
    );
    const app = await imported(document);
    const { fields } = app.actions[0]?.inputConfig ?? { fields: [] };
    expect(fields.map(({ key, required }) => [key, required])).toEqual([
      ['name', false],
      ['tags', false],
      ['shop', true],
    ]);
    expect(requestOf(app, { name: 'a', tags: ['x', 'y'], shop: 'b' }).body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      text: 'name=a&tags=x%2Cy&shop=b',
    });
  });

  it('has connection types of its security definitions', async () => {
    const securityDefinitions = {
      basic: { type: 'basic' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      login: {
        ...{ type: 'oauth2', flow: 'accessCode', scopes: { read: '' } },
        ...{ authorizationUrl: 'https://login.example/a', tokenUrl: 'https://login.example/t' },
      },
      old: { type: 'oauth2', flow: 'implicit', authorizationUrl: 'https://login.example/a', scopes: {} },
    };
    const security = Object.keys(securityDefinitions).map((name) => ({ [name]: [] }));
    const app = await imported(documentOf({ '/a': { get: {} } }, { security, securityDefinitions }));
    expect(app.connectionTypes.map(({ connectionId, type }) => [connectionId, type])).toEqual([
      ['basic', 'basic'],
      ['key', 'apiKey'],
      ['login', 'oauth2'],
      ['old', 'apiKey'],
    ]);
    expect(app.leftOut).toEqual([{ path: 'securityDefinitions.old.flow', message: expect.any(String) }]);
  });

  it.each([
    [['ws', 'https'], undefined, 'https://shop.example/v1'],
    [undefined, undefined, 'https://shop.example/v1'],
    [['https'], ['http'], 'http://shop.example/v1'],
  ])('has the address of its schemes: %j, of the operation %j', async (schemes, own, expected) => {
    const get: JsonObject = own === undefined ? {} : { schemes: own };
    const app = await imported(documentOf({ '/a': { get } }, schemes === undefined ? {} : { schemes }));
    const { servers, paths } = JSON.parse(app.document) as {
      servers: Json;
      paths: Record<string, { get: JsonObject }>;
    };
    expect(paths['/a']?.get.servers ?? servers).toEqual([{ url: expected }]);
  });
});

describe('a document of Swagger 2.0 that does not hold', () => {
  it('is refused with the places of its author', async () => {
    const parameters: JsonObject[] = [
      { name: 'body', in: 'body', schema: { $ref: '#/definitions/Loop' } },
      { name: 'ids', in: 'query', type: 'array', items: { $ref: '#/definitions/Gone' } },
      { $ref: '#/parameters/Gone' },
    ];
    const responses = { 200: { schema: { $ref: 'other.json' } } };
    const definitions = { Loop: { $ref: '#/definitions/Loop' } };
    const document = documentOf({ '/a': { post: { parameters, responses } } }, { definitions, schemes: ['ws'] });
    expect((await problemsOf(document)).map(({ path, message }) => `${path}: ${message}`).sort()).toEqual([
      'host: expected an http or https address',
      'paths["/a"].post.parameters[0].schema: the reference #/definitions/Loop refers to itself',
      'paths["/a"].post.parameters[1].items: the document has no #/definitions/Gone',
      'paths["/a"].post.parameters[2]: the document has no #/parameters/Gone',
      'paths["/a"].post.responses["200"].schema: the reference leaves the document: bundle it into one file first',
    ]);
  });

  it('names what is left out at the places of its author', async () => {
    const parameters: JsonObject[] = [
      { name: 'f', in: 'formData', type: 'file', required: true },
      { name: 'ids', in: 'query', type: 'array', items: {}, collectionFormat: 'tsv' },
      { name: 'x', in: 'nowhere', type: 'string' },
    ];
    const app = await imported(documentOf({ '/a': { post: { parameters } } }));
    expect(app.leftOut.map(({ path }) => path)).toEqual([
      'paths["/a"].post.parameters[2]',
      'paths["/a"].post.parameters[1].collectionFormat',
      'paths["/a"].post.parameters[0]',
    ]);
  });

  it.each([
    ['another version', { swagger: '1.2' }, [{ path: 'swagger', message: 'expected the version 2.0' }]],
    ['a host that is no text', { host: 1 }, [{ path: 'host', message: 'expected a text' }]],
    ['no host', { host: undefined }, [{ path: 'host', message: expect.stringContaining('name the server') }]],
    ['credentials in the host', { host: 'a:b@shop.example' }, [{ path: 'host', message: expect.any(String) }]],
  ])('is refused: %s', async (_, more, problems) => {
    expect(await problemsOf({ ...documentOf({ '/a': { get: {} } }), ...more })).toEqual(problems);
  });

  it('takes a server instead of its host', async () => {
    const { host: _, ...document } = documentOf({ '/a': { get: {} } });
    expect(await problemsOf(document, { server: 'https://shop.example' })).toEqual([]);
  });

  it('reaches no prototype by its names', async () => {
    const document = JSON.parse(`{
      "swagger": "2.0", "info": {}, "host": "shop.example", "produces": ["__proto__"], "consumes": ["__proto__"],
      "definitions": {"__proto__": {"type": "object", "properties": {"__proto__": {"type": "string"}}}},
      "responses": {"__proto__": {"schema": {"$ref": "#/definitions/__proto__"}, "examples": {"x": 1}}},
      "securityDefinitions": {"__proto__": {"type": "oauth2", "flow": "constructor"}},
      "security": [{"__proto__": []}],
      "paths": {"/__proto__": {"post": {
        "parameters": [
          {"$ref": "#/parameters/__proto__"},
          {"name": "ids", "in": "query", "type": "array", "collectionFormat": "constructor"},
          {"name": "__proto__", "in": "formData", "type": "string"}
        ],
        "responses": {"200": {"$ref": "#/responses/__proto__"}, "__proto__": {"schema": {}, "examples": {"y": 2}}}
      }}}
    }`) as JsonObject;
    const before = Object.getOwnPropertyNames(Object.prototype).sort();
    await importedApp(document);
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
  });

  it('never ends in an exception', async () => {
    const names = fc.constantFrom(
      ...['swagger', 'paths', '/a', 'get', 'post', 'parameters', 'schema', 'in', 'body', 'formData', 'query', 'type'],
      ...['$ref', '#/definitions/a', '#/parameters/a', 'definitions', 'a', 'responses', '200', 'host', 'schemes'],
      ...[
        '__proto__',
        'constructor',
        'toString',
        'consumes',
        'produces',
        'securityDefinitions',
        'security',
        'oauth2',
        'flow',
      ],
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.oneof(names, fc.constant(null), fc.boolean(), fc.integer()),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 5 }) as fc.Arbitrary<Json>,
      ),
    }));
    const parts = ['parameters', 'definitions', 'responses', 'securityDefinitions', 'consumes', 'schemes'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: parts.length, maxLength: parts.length }),
        value,
        async (some, item) => {
          const more = Object.fromEntries(parts.map((name, index) => [name, some[index] as Json]));
          const paths = { '/a': isJsonObject(item) ? { post: item, parameters: some[0] as Json } : item };
          const app = await importedApp(documentOf(paths, more));
          expect(app).toBeDefined();
        },
      ),
      { numRuns: 300 },
    );
  });
});
