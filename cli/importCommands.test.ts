import { beforeEach, expect, jest, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { loopback } from '../test/setup/providers/loopback.ts';
import { startMcpServer } from '../test/setup/providers/mcpServer.ts';
import { commandFolder } from '../test/setup/stack/commandLine.ts';

// Each test starts several processes of one second of CPU time, which exceeds the default under load.
jest.setTimeout(120_000);

let here: ReturnType<typeof commandFolder>;
beforeEach(() => {
  here = commandFolder({});
});

const perdure = (...words: string[]) => here.perdure(words);
const write = (path: string, text: string) => here.write({ [path]: text });
const read = (path: string) => here.read(path);
const actionsOf = (slug: string) =>
  (parse(read(`apps/${slug}.yaml`)).actions as { actionId: string }[]).map(({ actionId }) => actionId);

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example' }],
  paths: {
    '/orders': {
      get: { operationId: 'listOrders' },
      post: { operationId: 'createOrder' },
    },
    '/orders/{id}': {
      get: {
        operationId: 'readOrder',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  },
};

test('an OpenAPI file becomes an app that is valid; replacing it is said', async () => {
  write('shop.yaml', stringify(SHOP));
  const made = await perdure('app', 'import', 'openapi', 'shop.yaml', '--as', 'shop');
  expect([made.code, made.stdout]).toEqual([0, 'wrote apps/shop.yaml with 3 actions\n']);
  expect(actionsOf('shop')).toEqual(['listOrders', 'createOrder', 'readOrder']);
  expect(JSON.parse(read('apps/shop.openapi.json'))).toBeInstanceOf(Object);
  const valid = await perdure('validate');
  expect([valid.code, valid.stderr]).toEqual([0, '']);

  const same = await perdure('app', 'import', 'openapi', 'shop.yaml', '--as', 'shop');
  expect(same.stdout).toBe('wrote apps/shop.yaml with 3 actions\n');
  const chosen = ['--operations', 'createOrder,readOrder'];
  const other = await perdure('app', 'import', 'openapi', 'shop.yaml', '--as', 'shop', ...chosen);
  expect([other.code, other.stdout]).toEqual([0, 'replaced apps/shop.yaml with 2 actions\n']);
  expect(actionsOf('shop')).toEqual(['createOrder', 'readOrder']);
});

test('a document is read from its address, to which a relative server belongs', async () => {
  const document = JSON.stringify({ ...SHOP, servers: [{ url: '/v2' }] });
  const { url } = await loopback((call, response) => {
    if (call.url === '/openapi.json') response.end(document);
    else response.writeHead(404).end();
  });
  const made = await perdure('app', 'import', 'openapi', `${url}/openapi.json`, '--as', 'shop', '--json');
  expect([made.code, JSON.parse(made.stdout)]).toEqual([
    0,
    { file: 'apps/shop.yaml', actions: 3, leftOut: [], replaced: false },
  ]);
  expect(read('apps/shop.openapi.json')).toContain(`${url}/v2`);
  const gone = await perdure('app', 'import', 'openapi', `${url}/gone`, '--as', 'gone');
  expect([gone.code, gone.stderr]).toEqual([1, `perdure: ${url}/gone answered 404\n`]);
});

test('wrong inputs name their place, and write nothing', async () => {
  write('shop.json', JSON.stringify(SHOP));
  write('broken.json', '{"openapi": "3.1.0",');
  write('old.json', JSON.stringify({ openapi: '2.5.0', paths: {} }));
  const wrong: [string[], number, RegExp][] = [
    [['shop.json'], 2, /--as <slug> is required/],
    [['shop.json', '--as', '1 shop'], 2, /--as <slug> is required/],
    [['broken.json', '--as', 'shop'], 4, /./],
    [['old.json', '--as', 'shop'], 4, /openapi: /],
    [['shop.json', '--as', 'shop', '--operations', 'listOrders,nothing'], 4, /nothing/],
    [['none.json', '--as', 'shop'], 1, /none\.json/],
  ];
  for (const [words, code, message] of wrong) {
    const answer = await perdure('app', 'import', 'openapi', ...words);
    expect([words, answer.code]).toEqual([words, code]);
    expect(answer.stderr).toMatch(message);
  }
  const noUrl = await perdure('app', 'import', 'mcp', 'books', '--as', 'books');
  expect([noUrl.code, noUrl.stderr]).toEqual([2, expect.stringContaining('books is no http or https address')]);
  expect(() => read('apps/shop.yaml')).toThrow();
});

test('tools of an MCP server become actions; a name that it lacks is refused', async () => {
  const inputSchema = { type: 'object' as const, properties: { title: { type: 'string' } }, required: ['title'] };
  const { url } = await startMcpServer({
    tools: [
      { name: 'find', description: 'Find a book', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'burn', inputSchema, annotations: { destructiveHint: true } },
    ],
    answer: () => ({ content: [] }),
  });
  const made = await perdure('app', 'import', 'mcp', url, '--as', 'books');
  expect([made.code, made.stdout]).toEqual([0, 'wrote apps/books.yaml with 2 actions\n']);
  const { actions, runs } = parse(read('apps/books.yaml'));
  expect([runs.on, runs.url, Object.keys(runs.tools)]).toEqual(['mcp', url, ['find', 'burn']]);
  expect(actions).toMatchObject([
    { actionId: 'find', effect: 'read' },
    { actionId: 'burn', effect: 'destructive' },
  ]);
  const one = await perdure('app', 'import', 'mcp', url, '--as', 'books', '--tools', 'find');
  expect(one.stdout).toBe('replaced apps/books.yaml with 1 action\n');
  const missing = await perdure('app', 'import', 'mcp', url, '--as', 'other', '--tools', 'find,steal');
  expect([missing.code, missing.stderr]).toEqual([4, 'perdure: The server has no tool steal\n']);
  expect(() => read('apps/other.yaml')).toThrow();
});
