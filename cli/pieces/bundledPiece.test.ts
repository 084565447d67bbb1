import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildGuardedDial } from '../../activities/apps/guard/guardedDial.ts';
import { importedPiece } from '../../domain/piece/importedPiece.ts';
import { RunnerPool } from '../../runner/runnerPool.ts';
import { bundledPiece } from './bundledPiece.ts';
import { packageVersion } from './installPackage.ts';

/** A piece as the framework makes it: each type of property and each way to log in. */
const PIECE = `
  const prop = (type, more = {}) => ({ type, displayName: type.toLowerCase(), required: false, ...more });
  const action = (name, props, run, more = {}) => ({ name, displayName: name, description: '', props, run, ...more });
  const actions = {
    echo: action('echo', {
      text: prop('SHORT_TEXT'), count: prop('NUMBER', { defaultValue: 3 }), at: prop('DATE_TIME'), data: prop('JSON'),
      map: prop('OBJECT'), tags: prop('ARRAY'), flag: prop('CHECKBOX', { required: true }),
      note: prop('MARKDOWN', { description: 'Choose one.' }),
      size: prop('STATIC_DROPDOWN', { options: { options: [{ label: 'One', value: 1 }, { label: 'Two', value: 'two' }] }, defaultValue: 1 }),
      kinds: prop('STATIC_MULTI_SELECT_DROPDOWN', { options: { options: [{ label: 'No', value: false }] } }),
      rows: prop('ARRAY', { properties: { n: prop('NUMBER', { required: true }), s: prop('SHORT_TEXT') } }),
      table: prop('DROPDOWN', { refreshers: ['auth', 'text', 'gone'], options: async ({ auth, text }, { searchValue }) =>
        auth ? { options: [{ label: text + searchValue, value: { id: 7 } }, { label: 'Other', value: 'o' }] }
          : { disabled: true, placeholder: 'Connect first', options: [] } }),
      cells: prop('DYNAMIC', { refreshers: ['table'], props: async ({ table }) => ({ id: prop('NUMBER', { displayName: String(table.id) }),
        pick: prop('DROPDOWN', { options: async () => ({ options: [] }) }), file: prop('FILE') }) }),
      picture: prop('FILE'),
    }, async ({ auth, propsValue }) => ({ auth, ...propsValue }), { classification: 'SEARCH' }),
    'Send file': action('Send file', { file: prop('FILE', { required: true }) }, () => null),
    'Clear all': action('Clear all', {}, () => 'cleared', { classification: 'DESTRUCTIVE', requireAuth: false, aiMetadata: { idempotent: true } }),
    use: action('use', { what: prop('SHORT_TEXT') }, async (context) => {
      if (context.propsValue.what === 'copy') return Object.keys({ ...context }).length;
      if (context.propsValue.what === 'tls') { process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; return process.env.NODE_TLS_REJECT_UNAUTHORIZED ?? 'checked'; }
      const [name, member] = context.propsValue.what.split('.');
      return context[name][member]({});
    }),
    fail: action('fail', { how: prop('JSON') }, ({ propsValue }) => { throw Object.assign(new Error('bad'), propsValue.how); }),
    read: action('read', {}, () => require('node:fs').readFileSync('/etc/passwd', 'utf8')),
    call: action('call', { url: prop('SHORT_TEXT') }, async ({ propsValue }) => (await fetch(propsValue.url)).text()),
  };
  exports.own = {
    displayName: 'Own', description: 'A piece of a test.', actions: () => actions, triggers: () => ({ added: {} }),
    getContextInfo: () => ({ version: '2' }),
    auth: [
      prop('SECRET_TEXT', { displayName: 'Key' }),
      prop('BASIC_AUTH', { username: { displayName: 'Account' }, password: { displayName: 'Word' } }),
      prop('CUSTOM_AUTH', { props: { url: prop('SHORT_TEXT', { required: true }), api_token: prop('SHORT_TEXT'), port: prop('NUMBER'), tls: prop('CHECKBOX') } }),
      prop('OAUTH2', { authUrl: 'https://id.example/authorize', tokenUrl: 'https://id.example/token', scope: ['a', 'b'], extra: { access: 'offline' }, prompt: 'consent' }),
      prop('OAUTH2', { authUrl: 'https://{shop}.example/authorize', tokenUrl: 'https://{shop}.example/token', scope: [] }),
      prop('OIDC'),
    ],
  };
  if (process.env.OLD) exports.own.getContextInfo = undefined;`;

let folder: string;
let code: string;
let described: unknown;
let reached = 0;
const pool = new RunnerPool({
  ...{ memoryMb: 128, maxOutputBytes: 100_000, maxConsoleBytes: 10_000, maxProcesses: 4 },
  dialOf: () => buildGuardedDial({ allowedPrivateHosts: [] }),
});
const server = createServer((_, response) => {
  reached += 1;
  response.end('reached');
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perdure-pieces-'));
  await mkdir(join(folder, 'node_modules/own'), { recursive: true });
  await writeFile(join(folder, 'node_modules/own/package.json'), '{"name":"own","version":"1.0.0","main":"index.js"}');
  await writeFile(join(folder, 'node_modules/own/index.js'), PIECE);
  ({ code, described } = await bundledPiece(folder, 'own'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await pool.close();
  server.close();
  await rm(folder, { recursive: true });
});

async function called(member: 'run' | 'options', parameters: unknown[], its = code) {
  const end = await pool.run(
    { workspaceId: 'w', digest: its === code ? 'a' : 'old', file: 'own.js', read: async () => its },
    { member, parameters, signal: new AbortController().signal, isRepeatable: false },
  );
  return end.kind === 'returned' ? JSON.parse(end.output) : end.kind === 'threw' ? end.error : end;
}
const run = (id: string, inputs: object, connection?: object, its?: string) =>
  called('run', [id, { inputs, call: { executionId: 'e', stepId: 's', connection } }], its);

it('becomes an app: fields, connection types, effects, and what is left out', () => {
  const app = importedPiece(described);
  if ('problems' in app) throw new Error(JSON.stringify(app.problems));
  expect(app).toMatchObject({ name: 'Own', description: 'A piece of a test.' });
  const [echo] = app.actions;
  expect(echo).toMatchObject({ effect: 'read', repeatable: true, requiresConnection: true });
  expect(echo?.inputConfig.objects).toEqual(['map']);
  expect(echo?.inputConfig.fields.map(({ key, type }) => `${key} ${type}`)).toEqual([
    ...['text text', 'count number', 'at date', 'data json', 'map json', 'tags json', 'flag boolean', 'size select'],
    ...['kinds multiSelect', 'rows json', 'table select', 'cells json'],
  ]);
  expect(Object.fromEntries(echo?.inputConfig.fields.map((field) => [field.key, field]) ?? [])).toMatchObject({
    count: { default: 3, required: false },
    flag: { required: true },
    size: {
      ...{ default: 'json:1', help: 'Choose one.' },
      options: [
        { value: 'json:1', label: 'One' },
        { value: 'two', label: 'Two' },
      ],
    },
    table: { options: { load: true, dependsOn: ['text'] } },
    cells: { options: { load: true, dependsOn: ['table'] } },
  });
  expect(app.actions.map(({ actionId }) => actionId)).toEqual(['echo', 'Clear_all', 'use', 'fail', 'read', 'call']);
  expect(app.actions[1]).toMatchObject({ effect: 'destructive', repeatable: true, requiresConnection: false });
  expect(app.connectionTypes).toEqual([
    ...[{ connectionId: 'apiKey', name: 'Key', type: 'apiKey', fields: [secret('apiKey', 'Key')] }],
    {
      ...{ connectionId: 'basic', name: 'basic_auth', type: 'basic' },
      fields: [{ key: 'username', label: 'Account', type: 'text', required: true }, secret('password', 'Word')],
    },
    {
      ...{ connectionId: 'custom', name: 'custom_auth', type: 'custom' },
      fields: [
        { key: 'url', label: 'short_text', type: 'text', required: true },
        { ...secret('api_token', 'short_text'), required: false },
        { key: 'port', label: 'number', type: 'number', required: false },
        { key: 'tls', label: 'checkbox', type: 'boolean', required: false },
      ],
    },
    {
      ...{ connectionId: 'oauth2', name: 'oauth2', type: 'oauth2', fields: [] },
      oauth2: {
        authorizationUrl: 'https://id.example/authorize?access=offline&prompt=consent',
        ...{ tokenUrl: 'https://id.example/token', scopes: 'a b', allowedHosts: '' },
      },
    },
  ]);
  expect(app.leftOut.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'auths.oauth22: addresses of OAuth2 that depend on the connection are not supported',
    'auths.OIDC: connections of type OIDC are not supported',
    'actions.echo.props.picture: properties of type FILE are not supported',
    expect.stringMatching(/^actions.*props\.file: properties of type FILE are not supported$/),
    expect.stringMatching(/^actions.*Send_file.*: left out: actions.*props\.file is required$/),
    'triggers.added: triggers are not supported',
  ]);
});

const secret = (key: string, label: string) => ({ key, label, type: 'secret', required: true });

it('takes the named actions; an unknown name lists those that there are', () => {
  expect(importedPiece(described, ['use'])).toMatchObject({ actions: [{ actionId: 'use' }] });
  const known = 'echo, Send_file, Clear_all, use, fail, read, call';
  expect(importedPiece(described, ['use', 'gone'])).toEqual({
    problems: [{ path: 'actions', message: `the piece has no action gone: expected one of ${known}` }],
  });
});

it('the same piece gives the same bytes', async () => {
  expect((await bundledPiece(folder, 'own')).code).toBe(code);
});

it('gets inputs in the types of its properties', async () => {
  const given = {
    ...{ text: 5, count: '4', at: '2026-01-02T03:04', data: '{"a":1}', map: { b: 2 }, tags: 'one', flag: false },
    ...{ size: 'json:1', kinds: ['json:false'], rows: { n: ['1', '2'], s: 'x' }, table: 'json:{"id":7}' },
    ...{ cells: { pick: 'json:8', id: 9 }, at2: 1 },
  };
  expect(await run('echo', given)).toEqual({
    ...{
      text: '5',
      count: 4,
      at: '2026-01-02T03:04:00.000Z',
      data: { a: 1 },
      map: { b: 2 },
      tags: ['one'],
      flag: false,
    },
    ...{ size: 1, kinds: [false], table: { id: 7 }, cells: { pick: 8, id: 9 } },
    rows: [
      { n: 1, s: 'x' },
      { n: 2, s: 'x' },
    ],
  });
  const wrong: [object, string][] = [
    [{ count: 'many', flag: true }, 'count: expected a number'],
    [{ flag: null }, 'flag: expected a value'],
    [{ flag: true, map: [] }, 'map: expected an object'],
    [{ flag: true, data: '{' }, 'data: expected JSON'],
    [{ flag: true, at: 'soon' }, 'at: expected a date or time'],
    [{ flag: true, rows: [{ s: 'x' }] }, 'rows[0].n: expected a value'],
  ];
  for (const [inputs, message] of wrong)
    expect(await run('echo', inputs)).toMatchObject({ code: 'INVALID_INPUT', message });
});

it.each([
  ['apiKey', { apiKey: 'k' }, { type: 'SECRET_TEXT', secret_text: 'k' }, 'k'],
  ['basic', { username: 'u', password: 'p' }, { type: 'BASIC_AUTH', username: 'u', password: 'p' }, undefined],
  [
    ...[
      'custom',
      { url: 'x', port: '5', tls: 'false' },
      { type: 'CUSTOM_AUTH', props: { url: 'x', port: 5, tls: false } },
    ],
    { url: 'x', port: 5, tls: false },
  ],
  [
    ...[
      'oauth2',
      { accessToken: 't' },
      { type: 'OAUTH2', access_token: 't', token_type: 'Bearer', data: {}, props: {} },
    ],
    undefined,
  ],
] as [string, object, object, unknown][])(
  'logs in by %s, with the bare value for old pieces',
  async (type, credentials, value, old) => {
    const connection = { type, credentials };
    expect((await run('echo', { flag: true }, connection)).auth).toEqual(value);
    const before = code.replace('if (process.env.OLD)', 'if (true)');
    expect((await run('echo', { flag: true }, connection, before)).auth).toEqual(old ?? value);
  },
);

it('loads options and dynamic properties', async () => {
  const options = (field: string, inputs: object, call: object, search = '') =>
    called('options', ['echo', field, { inputs, call }, search]);
  const connection = { type: 'apiKey', credentials: { apiKey: 'k' } };
  expect(await options('table', { text: 'T' }, { connection }, '!')).toEqual({
    options: [
      { value: 'json:{"id":7}', label: 'T!' },
      { value: 'o', label: 'Other' },
    ],
    isSearched: false,
  });
  expect(await options('table', {}, {})).toMatchObject({ code: 'NO_OPTIONS', message: 'Connect first' });
  expect(await options('text', {}, {})).toMatchObject({ code: 'NO_OPTIONS' });
  expect(await options('cells', { table: 'json:{"id":7}' }, {})).toMatchObject({
    props: { id: { type: 'NUMBER', displayName: '7' }, pick: { type: 'DROPDOWN' } },
  });
});

it('is refused the parts of the context that Perdure lacks, when it uses them', async () => {
  for (const what of [
    'files.write',
    'store.put',
    'store.get',
    'run.pause',
    'run.createWaitpoint',
    'connections.get',
    'server.apiUrl',
  ]) {
    const message = `The piece uses context.${what}, which Perdure does not have`;
    expect(await run('use', { what })).toEqual({ code: 'PIECE_UNSUPPORTED', message });
  }
  expect(await run('use', { what: 'copy' })).toBeGreaterThan(5);
  expect(await run('use', { what: 'tags.add' })).toBeNull();
  expect(await run('gone', {})).toMatchObject({ code: 'ACTION_MISSING' });
});

it.each([
  [
    { response: { status: 429, data: { a: 1 }, headers: { 'retry-after': '7' } } },
    { code: 'HTTP_STATUS', retryable: true, retryAfterMs: 7000 },
  ],
  [
    { response: { status: 404, body: 'no' } },
    { code: 'HTTP_STATUS', retryable: false, details: '{"status":404,"body":"no"}' },
  ],
  [
    { status: 503, message: 'down' },
    { code: 'HTTP_STATUS', retryable: true, message: 'The service answered 503: down' },
  ],
  [{ $metadata: { httpStatusCode: 403 } }, { code: 'HTTP_STATUS', retryable: false }],
  [
    { response: { status: 500 }, _err: { code: 'ECONNREFUSED', message: 'refused' } },
    { code: 'HTTP_CONNECTION_FAILED', retryable: true },
  ],
  [{ code: 'ECONNRESET' }, { code: 'HTTP_CONNECTION_LOST', retryable: true }],
  [{ code: 'NO_STOCK' }, { code: 'NO_STOCK', message: 'bad' }],
  [{}, { code: 'CODE_THREW', message: 'bad' }],
])('an error with %j fails the step', async (how, failure) => {
  expect(await run('fail', { how })).toMatchObject(failure);
});

it('is fenced: no file, no loopback, and certificates stay checked', async () => {
  expect(await run('read', {})).toMatchObject({ code: 'ERR_ACCESS_DENIED' });
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    expect(await run('call', { url: `http://${host}:${port}` })).toHaveProperty('code');
  }
  expect(reached).toBe(0);
  expect(await run('use', { what: 'tls' })).toBe('checked');
});

it('a package that is no piece, and other names than those of packages, are refused', async () => {
  await writeFile(join(folder, 'node_modules/own/other.js'), 'module.exports = {};');
  await expect(bundledPiece(folder, 'own/other.js')).rejects.toThrow('cannot be an app: The package exports no piece');
  expect(packageVersion('@a/b@1.2.3')).toEqual({ name: '@a/b', version: '1.2.3' });
  expect(packageVersion('b')).toEqual({ name: 'b' });
  for (const text of ['../b', 'file:b', 'git+ssh://x', '@a/b@latest', '@a/b@^1.0.0', '--flag', 'B', '']) {
    expect(() => packageVersion(text)).toThrow('expected');
  }
});
