import { expect, it } from '@jest/globals';
import { importInThread } from './importInThread.ts';

const call = (timeoutMs: number) => ({ workspaceId: 'w', timeoutMs, signal: new AbortController().signal });
const task = (openapi: object | string) => ({ openapi, maxYamlCharacters: 1_000_000, maxBytes: 1_000_000 });
const head = 'openapi: 3.1.0\ninfo: {title: Shop, version: "1"}\nservers: [{url: "https://shop.example"}]\n';

it('makes an app of a text or an object', async () => {
  const text = `${head}paths:\n  /orders:\n    get: {operationId: list}\n`;
  const app = { name: 'Shop', actions: [{ actionId: 'list' }] };
  expect(await importInThread(task(text), call(20_000))).toMatchObject(app);
  const document = { openapi: '3.1.0', info: { title: 'Shop' }, servers: [{ url: 'https://shop.example' }] };
  const paths = { '/orders': { get: { operationId: 'list' } } };
  expect(await importInThread(task({ ...document, paths }), call(20_000))).toMatchObject(app);
  expect(await importInThread(task('a: ['), call(20_000))).toMatchObject({ problems: [{ line: 1 }] });
});

it('ends a document that takes too long, without effect on the next one', async () => {
  const paths = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`/${index}`, { get: {} }]));
  const document = { openapi: '3.1.0', info: {}, servers: [{ url: 'https://shop.example' }], paths };
  const problem = { path: '', message: expect.stringMatching(/^the import takes longer than 1 ms/) };
  expect(await importInThread(task(document), call(1))).toEqual({ problems: [problem] });
  expect(await importInThread(task({}), call(20_000))).toHaveProperty('problems');
});

it('refuses a document whose aliases multiply it', async () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `v${index}`).join(', ');
  const parameters = Array.from({ length: 99 }, (_, index) => `{name: p${index}, in: query, schema: *a}`).join(', ');
  const text = `x: &a {type: string, enum: [${values}]}\n${head}paths: {/a: {get: {parameters: [${parameters}]}}}`;
  const message = expect.stringMatching(/^the requests need \d{8} bytes of the document, at most 1000000 are allowed/);
  expect(await importInThread(task(text), call(60_000))).toEqual({ problems: [{ path: '', message }] });
}, 60_000);
