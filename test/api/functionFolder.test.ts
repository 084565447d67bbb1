// test: long
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as files hold them
import { expect, test } from '@jest/globals';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { makeHome } from '../setup/workspace/home.ts';

const SHOP = `import { defineAction } from 'perdure-client/functions';
import upper from 'upper';
import { rate } from './lib/rate.ts';
export const quote = defineAction({
  name: 'Quote',
  inputs: { fields: [{ key: 'price', type: 'number', required: true }] },
  effect: 'read',
  run: ({ price }) => upper('total ') + price * rate,
});
`;
const FILES = {
  'functions/shop.ts': SHOP,
  'functions/lib/rate.ts': 'export const rate = 2;\n',
  'node_modules/upper/package.json': '{"name":"upper","version":"1.0.0","main":"index.js"}',
  'node_modules/upper/index.js': 'module.exports = (text) => text.toUpperCase();',
  'workflows/quote.yaml': `nodes:
  - { id: quote, type: action, appId: shop, actionId: quote, inputs: { price: 21 } }
output: '{{ steps.quote.output }}'
`,
};

async function folderOnServer() {
  const home = await makeHome();
  const { url, apiKey, projectId } = home;
  const folder = commandFolder({ PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId });
  folder.write(FILES);
  const run = async () => {
    const { body } = await home.api('GET', '/api/workflows');
    return home.ended(await home.execute(body[0].id));
  };
  return { ...home, folder, runStored: run };
}

test('a function is planned, applied and run, and after a change the next execution runs the new code', async () => {
  const { folder, runStored } = await folderOnServer();
  const planned = await folder.perdure(['plan']);
  expect(planned).toMatchObject({ code: 2, stdout: expect.stringMatching(/app shop/) });
  expect(await folder.perdure(['apply', '--yes'])).toMatchObject({ code: 0 });
  expect(await runStored()).toMatchObject({ status: 'COMPLETED', output: 'TOTAL 42' });
  expect(await folder.perdure(['plan'])).toMatchObject({ code: 0 });

  folder.write({ 'functions/lib/rate.ts': 'export const rate = 3;\n' });
  const changed = await folder.perdure(['plan']);
  expect(changed).toMatchObject({ code: 2, stdout: expect.stringContaining('runs.bundle') });
  expect(await folder.perdure(['apply', '--yes'])).toMatchObject({ code: 0 });
  expect(await runStored()).toMatchObject({ status: 'COMPLETED', output: 'TOTAL 63' });
});

test('mistakes in the code are reported at their place, and nothing is applied', async () => {
  const { folder, api } = await folderOnServer();
  folder.write({ 'functions/lib/rate.ts': 'export const rate = ;\n' });
  for (const command of [['plan'], ['apply', '--yes'], ['validate']]) {
    const { code, stdout, stderr } = await folder.perdure(command);
    expect([code === 0 || code === 2, stdout + stderr]).toEqual([
      false,
      expect.stringContaining('functions/lib/rate.ts:1:21'),
    ]);
  }
  folder.write({ 'functions/lib/rate.ts': `export const rate = ${JSON.stringify('x'.repeat(6_000_000))};\n` });
  const large = await folder.perdure(['plan']);
  expect(large.stdout + large.stderr).toContain('at most 5242880 are allowed');
  expect((await api('GET', '/api/apps')).body).toEqual([]);
});

test('a folder that pulls an app without its source keeps the stored code', async () => {
  const { folder, runStored, url, apiKey, projectId } = await folderOnServer();
  expect(await folder.perdure(['apply', '--yes'])).toMatchObject({ code: 0 });
  const other = commandFolder({ PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId });
  other.write({ 'perdure.yaml': '' });
  expect(await other.perdure(['pull'])).toMatchObject({ code: 0 });
  expect(other.read('apps/shop.yaml')).toMatch(/bundle: [0-9a-f]{64}/);
  other.write({ 'apps/shop.yaml': `${other.read('apps/shop.yaml')}description: Quotes.\n` });
  expect(await other.perdure(['apply', '--yes'])).toMatchObject({ code: 0 });
  expect(await runStored()).toMatchObject({ status: 'COMPLETED', output: 'TOTAL 42' });

  // The source is the author's: a pull leaves it alone, and the plan names the field that the folder lacks.
  expect(await folder.perdure(['pull'])).toMatchObject({ code: 0 });
  expect(folder.read('functions/shop.ts')).toBe(SHOP);
  expect(await folder.perdure(['plan'])).toMatchObject({ code: 2, stdout: expect.stringContaining('description') });
});
