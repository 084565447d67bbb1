import { describe, expect, it } from '@jest/globals';
import { imported, problemsOf } from '../../test/setup/documents/importedDocument.ts';
import type { JsonObject } from '../json.ts';
import type { ImportedApp } from './importedApp.ts';

const info = { title: 'Shop', version: '1', description: 'Sells **tea**.\n\nAnd much more.' };
const servers = [{ url: 'https://api.shop.example/v1' }];

function documentOf(paths: JsonObject, more: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info, servers, paths, ...more };
}

const json = (schema: JsonObject, more: JsonObject = {}) => ({ content: { 'application/json': { schema } }, ...more });

describe('actions', () => {
  it('are made of operations, with effects by method', async () => {
    const app = await imported(
      documentOf({
        '/tea': {
          get: { operationId: 'listTea', summary: 'List tea', description: 'Lists *all* tea.' },
          post: { operationId: 'tea/add' },
          trace: {},
        },
        '/tea/{id}': { put: {}, patch: { operationId: 'listTea' }, delete: { operationId: 'removeTea' }, head: {} },
      }),
    );
    expect(app).toMatchObject({ name: 'Shop', description: 'Sells tea.' });
    expect(app.actions.map(({ actionId, effect, repeatable }) => [actionId, effect, repeatable])).toEqual([
      ['listTea', 'read', true],
      ['tea/add', 'write', false],
      ['put_tea_id', 'write', true],
      ['removeTea', 'destructive', true],
      ['head_tea_id', 'read', true],
      ['listTea_2', 'write', false],
    ]);
    expect(app.actions[0]).toMatchObject({ name: 'List tea', description: 'Lists all tea. (GET /tea)' });
  });

  it('may be some of the operations, by their id in the document', async () => {
    const document = documentOf({ '/tea': { get: { operationId: 'tea/list' }, post: { operationId: 'add' } } });
    const app = await imported(document, { operations: ['tea/list'] });
    expect(app.actions.map(({ actionId }) => actionId)).toEqual(['tea/list']);
    expect(Object.keys((JSON.parse(app.document) as { paths: { '/tea': object } }).paths['/tea'])).toEqual(['get']);
    expect(await problemsOf(document, { operations: ['add', 'gone'] })).toEqual([
      { path: 'operations[1]', message: 'the document has no operation gone' },
    ]);
  });
});

describe('fields', () => {
  it('are parameters and members of the body, with types, choices and defaults', async () => {
    const app = await imported(
      documentOf(
        {
          '/tea/{id}': {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            post: {
              operationId: 'order',
              parameters: [
                { name: 'sort', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' } },
                {
                  name: 'filter[kind]',
                  in: 'query',
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
                },
                { name: 'X-Trace', in: 'header', description: 'A trace.', schema: { type: 'string' } },
                { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
                { name: 'Authorization', in: 'header', schema: { type: 'string' } },
              ],
              requestBody: json({ $ref: '#/components/schemas/Order' }, { required: true }),
            },
          },
        },
        {
          components: {
            schemas: {
              Kind: { type: 'string', enum: ['green', 'black'] },
              Order: {
                allOf: [
                  { $ref: '#/components/schemas/Base' },
                  { type: 'object', required: ['count'], properties: { count: { type: 'number', default: 'many' } } },
                ],
              },
              Base: {
                type: 'object',
                required: ['at', 'id'],
                properties: {
                  id: { type: 'string', description: 'The id of the order.' },
                  at: { type: 'string', format: 'date-time' },
                  made: { type: 'string', readOnly: true },
                  note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                  pin: { type: 'string', format: 'password' },
                  to: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
                  any: { oneOf: [{ type: 'string' }, { type: 'number' }] },
                  self: { $ref: '#/components/schemas/Order' },
                },
              },
            },
          },
        },
      ),
    );
    const { fields, objects } = app.actions[0]?.inputConfig ?? { fields: [] };
    expect(fields).toEqual([
      { key: 'id', label: 'id', type: 'number', required: true },
      {
        ...{ key: 'sort', label: 'sort', type: 'select', required: false, default: 'asc' },
        options: [
          { value: 'asc', label: 'asc' },
          { value: 'desc', label: 'desc' },
        ],
      },
      {
        ...{ key: 'filter_kind', label: 'filter[kind]', type: 'multiSelect', required: false },
        options: [
          { value: 'green', label: 'green' },
          { value: 'black', label: 'black' },
        ],
      },
      { key: 'X-Trace', label: 'X-Trace', type: 'text', required: false, help: 'A trace.' },
      { key: 'id_body', label: 'id', type: 'text', required: true, help: 'The id of the order.' },
      { key: 'at', label: 'at', type: 'date', required: true },
      { key: 'note', label: 'note', type: 'text', required: false },
      { key: 'pin', label: 'pin', type: 'secret', required: false },
      { key: 'to', label: 'to', type: 'json', required: false, help: 'An object of street, city.' },
      { key: 'any', label: 'any', type: 'json', required: false },
      { key: 'self', label: 'self', type: 'json', required: false, help: expect.stringContaining('An object of') },
      { key: 'count', label: 'count', type: 'number', required: true },
    ]);
    expect(objects).toEqual(['to', 'self']);
  });

  it('have the body itself if it is no object, or has alternatives', async () => {
    const bodies: Record<string, JsonObject> = {
      list: json({ type: 'array', items: { type: 'string' } }, { required: true }),
      either: json({
        oneOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      }),
      text: { content: { 'text/plain': { schema: { type: 'string' } } } },
      members: json({
        type: 'object',
        properties: { a: {}, b: {} },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      }),
    };
    const paths = Object.entries(bodies).map(([id, requestBody]) => [
      `/${id}`,
      { post: { operationId: id, requestBody } },
    ]);
    const app = await imported(documentOf(Object.fromEntries(paths)));
    const keys = app.actions.map(({ actionId, inputConfig: { fields } }) => [
      actionId,
      fields.map(({ key, type, required }) => [key, type, required]),
    ]);
    expect(Object.fromEntries(keys)).toEqual({
      list: [['body', 'json', true]],
      either: [['body', 'json', false]],
      text: [['body', 'longText', false]],
      members: [
        ['a', 'json', false],
        ['b', 'json', false],
      ],
    });
  });

  it('leave out what cannot be sent, and say where', async () => {
    const requestBody = { content: { 'application/octet-stream': { schema: { type: 'string' } } } };
    const app = await imported(documentOf({ '/file': { post: { operationId: 'upload', requestBody } } }));
    expect(app.actions[0]?.inputConfig.fields).toEqual([]);
    expect(app.leftOut).toEqual([
      {
        path: 'paths["/file"].post.requestBody.content',
        message: 'the body (application/octet-stream) cannot be sent: expected JSON, a form or text',
      },
    ]);
  });

  it('leave out files of a form, with their places', async () => {
    const properties: JsonObject = {
      file: { type: 'string', format: 'binary' },
      pictures: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
      avatar: { type: 'string' },
      title: { type: 'string' },
      note: { type: 'string', contentMediaType: 'text/markdown' },
      key: { type: 'string', format: 'byte' },
    };
    const media = {
      schema: { type: 'object', required: ['file', 'title'], properties },
      encoding: { avatar: { contentType: 'image/png, image/jpeg' } },
    };
    const only = { schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } };
    const post = (operationId: string, content: JsonObject) => ({
      post: { operationId, requestBody: { required: true, content: { 'multipart/form-data': content } } },
    });
    const app = await imported(documentOf({ '/file': post('upload', media), '/only': post('only', only) }));
    expect(app.actions.map(({ inputConfig }) => inputConfig.fields.map(({ key }) => key))).toEqual([
      ['title', 'note', 'key'],
      [],
    ]);
    const place = (path: string) =>
      `paths["/${path}"].post.requestBody.content["multipart/form-data"].schema.properties`;
    expect(app.leftOut).toEqual([
      { path: `${place('file')}.file`, message: 'file is a file, which an action cannot send' },
      { path: `${place('file')}.pictures`, message: 'pictures is a file, which an action cannot send' },
      { path: `${place('file')}.avatar`, message: 'avatar is a file, which an action cannot send' },
      { path: `${place('only')}.file`, message: 'file is a file, which an action cannot send' },
    ]);
  });
});

describe('connection types', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    app: { type: 'apiKey', in: 'query', name: 'app' },
    basic: { type: 'http', scheme: 'basic' },
    token: { type: 'http', scheme: 'Bearer' },
    login: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://login.shop.example/authorize',
          tokenUrl: 'https://login.shop.example/token',
          scopes: { read: '', write: '' },
        },
      },
    },
    machine: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://login.shop.example/token', scopes: {} } },
    },
    old: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://login.shop.example', scopes: {} } } },
    tls: { type: 'mutualTLS' },
  };

  it('are made of the sets of schemes that suffice', async () => {
    const security: JsonObject[] = [
      { key: [] },
      { key: [], app: [] },
      { basic: [] },
      { token: [] },
      { login: ['read'] },
      { machine: [] },
    ];
    const paths: JsonObject = {
      '/a': { get: { operationId: 'a' } },
      '/b': { get: { operationId: 'b', security: [{}, { key: [] }] } },
    };
    const app = await imported(documentOf(paths, { security, components: { securitySchemes } }));
    expect(app.actions.map(({ requiresConnection }) => requiresConnection)).toEqual([true, false]);
    expect(
      app.connectionTypes.map(({ connectionId, type, fields }) => [connectionId, type, fields.map(({ key }) => key)]),
    ).toEqual([
      ['key', 'apiKey', ['apiKey']],
      ['key_app', 'custom', ['key_apiKey', 'app_apiKey']],
      ['basic', 'basic', ['username', 'password']],
      ['token', 'apiKey', ['token']],
      ['login', 'oauth2', ['clientId', 'clientSecret', 'scopes']],
      ['machine', 'oauth2', ['grant', 'clientId', 'clientSecret', 'scopes']],
    ]);
    expect(app.connectionTypes[4]?.oauth2?.scopes).toBe('read');
    expect(app.connectionTypes[5]?.oauth2).toEqual({
      tokenUrl: 'https://login.shop.example/token',
      allowedHosts: 'login.shop.example',
    });
  });

  it.each([
    ['the same', 'https://login.example/token', ['authorizationCode', 'clientCredentials'], []],
    ['others', 'https://other.example/token', undefined, ['components.securitySchemes.both.flows.clientCredentials']],
    ['insecure ones', 'http://login.example/token', undefined, []],
  ])('have both grants of OAuth2 if their addresses for tokens are %s', async (_, tokenUrl, grants, places) => {
    const authorizationCode = {
      authorizationUrl: 'https://login.example/authorize',
      tokenUrl: 'https://login.example/token',
    };
    const both = { type: 'oauth2', flows: { authorizationCode, clientCredentials: { tokenUrl } } };
    const more = { security: [{ both: [] }], components: { securitySchemes: { both } } };
    const app = await imported(documentOf({ '/a': { get: {} } }, more));
    const grant = app.connectionTypes[0]?.fields.find(({ key }) => key === 'grant');
    expect(grant?.options?.map(({ value }) => value)).toEqual(grants);
    expect(app.leftOut.map(({ path }) => path)).toEqual(places);
  });

  it('are an API key for a document that names no scheme', async () => {
    const app = await imported(documentOf({ '/a': { get: {} } }));
    expect(app.connectionTypes.map(({ connectionId, fields }) => [connectionId, fields.map(({ key }) => key)])).toEqual(
      [['apiKey', ['apiKey', 'header', 'prefix']]],
    );
    expect(app.actions[0]?.requiresConnection).toBe(false);
  });

  it('say which schemes are not supported', async () => {
    const security: JsonObject[] = [{ old: [] }, { tls: [] }];
    const app = await imported(documentOf({ '/a': { get: {} } }, { security, components: { securitySchemes } }));
    expect(app.connectionTypes.map(({ name }) => name)).toEqual(['Access token']);
    expect(app.leftOut.map(({ path }) => path)).toEqual([
      'components.securitySchemes.old.flows',
      'components.securitySchemes.tls',
    ]);
  });
});

describe('the schema of the answer', () => {
  const bodyOf = async (responses: JsonObject, schemas: JsonObject = {}) => {
    const app = await imported(documentOf({ '/a': { get: { responses } } }, { components: { schemas } }));
    return app.actions[0]?.outputSchema?.properties?.body;
  };

  it('promises only what is certain', async () => {
    const tea = {
      type: 'object',
      required: ['id', 'name', 'other'],
      properties: {
        id: { type: 'integer' },
        name: { type: ['string', 'null'] },
        price: { type: ['number', 'null'] },
        kind: { oneOf: [{ type: 'object' }, { type: 'string' }] },
        like: { $ref: '#/components/schemas/Tea' },
      },
    };
    const like = expect.objectContaining({ type: 'object' });
    expect(await bodyOf({ 200: json({ $ref: '#/components/schemas/Tea' }), 404: json({}) }, { Tea: tea })).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: ['string', 'null'] }, price: {}, kind: {}, like },
      required: ['id', 'name'],
    });
    expect(await bodyOf({ 200: json(tea), 201: json(tea) }, { Tea: tea })).toEqual({});
    expect(await bodyOf({ 200: { content: { 'text/csv': {} } } })).toEqual({});
  });
});

describe('a document that does not hold', () => {
  it.each([
    ['no object', [], [{ path: '', message: 'expected an OpenAPI document: an object' }]],
    [
      'no version, no paths',
      { openapi: 3 },
      [
        { path: 'openapi', message: 'expected a version 3.0, 3.1 or 3.2 as text, or Swagger 2.0' },
        { path: 'paths', message: 'expected an object of paths' },
      ],
    ],
    ['no operations', documentOf({}), [{ path: 'paths', message: 'expected at least one operation' }]],
  ])('%s', async (_, document, problems) => {
    expect(await problemsOf(document)).toEqual(problems);
  });

  it('is refused with every place: references, servers', async () => {
    const get = {
      parameters: [{ $ref: '#/components/parameters/Gone' }, { $ref: 'file:///etc/passwd' }],
      requestBody: json({ $ref: '#/components/schemas/Loop' }),
      servers: [{ url: 'ftp://files.example' }],
    };
    const schemas = { Loop: { $ref: '#/components/schemas/Loop' } };
    const problems = await problemsOf(documentOf({ '/a': { get }, '/b': { get: {} } }, { components: { schemas } }));
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'paths["/a"].get.parameters[0]',
      'paths["/a"].get.parameters[1]',
      'paths["/a"].get.requestBody.content["application/json"].schema',
      'paths["/a"].get.servers[0].url',
    ]);
  });

  it.each([
    ['/v1', 'the address is relative to that of the document: name the server'],
    ['https://{tenant}.shop.example', 'the address has a variable without a default: name the server'],
    ['https://ann:secret@shop.example', 'credentials belong in a connection, not in the address'],
    ['file:///etc/passwd', 'expected an http or https address'],
  ])('the server %s', async (url, message) => {
    const document = documentOf({ '/a': { get: {} } }, { servers: [{ url }] });
    expect(await problemsOf(document)).toEqual([{ path: 'servers[0].url', message }]);
    expect(await problemsOf(document, { server: 'https://shop.example' })).toEqual([]);
  });
});

it('keeps what requests need of the document, and makes the same actions of it', async () => {
  const parameters = [{ name: 'description', in: 'query', description: 'Long.', schema: { type: 'string' } }];
  const schemas = {
    Tea: { type: 'object', description: 'Long.', properties: { title: { type: 'string', title: 'Long' } } },
    Unused: { type: 'object' },
  };
  const post = {
    ...{ operationId: 'add tea', parameters, description: 'Long.' },
    requestBody: json({ $ref: '#/components/schemas/Tea' }),
    responses: { 200: json({ $ref: '#/components/schemas/Unused' }) },
  };
  const app = await imported(documentOf({ '/tea': { post } }, { components: { schemas } }));
  const kept = JSON.parse(app.document) as JsonObject;
  expect(JSON.stringify(kept)).not.toMatch(/Long|Unused/);
  const again = await imported(kept);
  const keys = ({ actions }: ImportedApp) =>
    actions.map((one) => [one.actionId, one.inputConfig.fields.map((f) => f.key)]);
  expect(keys(again)).toEqual(keys(app));
  expect(keys(app)).toEqual([['add_tea', ['description', 'title']]]);
});
