// test: long
import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Loopback, loopback, type SeenCall } from '../setup/providers/loopback.ts';
import { MARIADB, startMariaDb } from '../setup/providers/mariadb.ts';
import { MOTO, startMoto } from '../setup/providers/motoServer.ts';
import { importedPiece } from '../setup/stack/importedPiece.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

type Answer = (call: SeenCall) => unknown;

/** Answers JSON by `METHOD /path`, without the query. Other calls get 404. */
function service(answers: Record<string, Answer>): Promise<Loopback> {
  return loopback((call, response) => {
    const answer = answers[`${call.method} ${call.url.replace(/\?.*/, '')}`];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ? answer(call) : { error: 'no such place' }));
  });
}

async function runOf({ run }: Home, what: string, inputs: object) {
  const ended = await run({
    ...{ nodes: [action('a', what, inputs as never)], edges: chain('trigger', 'a') },
    output: '{{ steps.a.output }}',
  });
  return { ...ended, step: ended.executionPath.find(({ nodeId }: { nodeId: string }) => nodeId === 'a') };
}

const optionsOf = ({ api }: Home, place: string, body: object) =>
  api('POST', `/api/workflow-apps/${place}/options`, { body });

test('Mastodon (framework 0.4, axios): a post, and a failure with its status', async () => {
  const { url, calls } = await loopback(({ body }, response) => {
    const isMuch = body.includes('too much');
    response.writeHead(isMuch ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(isMuch ? '{"error":"slow down"}' : '{"id":"1"}');
  });
  const home = await makeHome();
  const values = { base_url: `${url}/`, access_token: 'token-very-secret' };
  const at = await importedPiece(
    home,
    { slug: 'toot', package: '@activepieces/piece-mastodon@0.3.0' },
    { type: 'custom', values },
  );
  const ended = await runOf(home, 'toot.post_status', { status: 'Hello' });
  expect(ended).toMatchObject({ status: 'COMPLETED', output: { status: 200, body: { id: '1' } } });
  expect(calls[0]).toMatchObject({ method: 'POST', url: '/api/v1/statuses', body: '{"status":"Hello"}' });
  expect(calls[0]?.headers.authorization).toBe('Bearer token-very-secret');

  const failed = await runOf(home, 'toot.post_status', { status: 'too much' });
  expect(failed.step).toMatchObject({
    status: 'FAILED',
    error: { code: 'HTTP_STATUS', details: { status: 429, body: '{"error":"slow down"}' } },
  });
  expect(JSON.stringify(failed)).not.toContain('token-very-secret');

  // The folder is what the server has, and without its bundle too, as after a pull into another folder.
  expect(await at.perdure(['plan', '.'])).toMatchObject({ code: 0 });
  expect(await at.perdure(['validate', '.'])).toMatchObject({ code: 0 });
  const pulled = await at.perdure(['pull', 'other']);
  expect(pulled).toMatchObject({ code: 0 });
  expect(at.read('other/apps/toot.yaml')).toContain('package: "@activepieces/piece-mastodon"');
  expect(await at.perdure(['plan', 'other'])).toMatchObject({ code: 0 });
  at.write({ 'apps/toot.piece.js': 'exports.run = () => 1;' });
  const changed = await at.perdure(['plan', '.']);
  expect(changed).toMatchObject({ code: 4, stderr: expect.stringContaining('apps/toot.piece.js is not the file') });
});

test('Baserow (framework 0.32, fetch): loaded options, a dynamic property, and a row', async () => {
  const { url, calls } = await service({
    'GET /api/database/tables/all-tables/': () => [
      { id: 17, name: 'Orders' },
      { id: 18, name: 'Customers' },
    ],
    'GET /api/database/fields/table/17/': () => [
      { id: 1, name: 'Title', type: 'text', read_only: false },
      { id: 2, name: 'Amount', type: 'number', read_only: false },
    ],
    'GET /api/database/rows/table/17/': () => ({ results: [{ id: 5, order: '1.0', Title: 'First' }] }),
    'POST /api/database/rows/table/17/': ({ body }) => ({ id: 6, ...JSON.parse(body) }),
  });
  const home = await makeHome();
  const values = { authType: 'database_token', apiUrl: url, token: 'rows-secret-1' };
  const at = await importedPiece(
    home,
    { slug: 'rows', package: '@activepieces/piece-baserow@0.10.0', actions: ['baserow_create_row', 'baserow_get_row'] },
    { type: 'custom', values },
  );
  expect(at.imported.stderr).toContain('triggers.baserow_row_created: triggers are not supported');

  const create = 'rows/actions/baserow_create_row';
  const tables = await optionsOf(home, create, { field: 'table_id' });
  expect(tables.body).toEqual({
    options: [
      { value: 'json:17', label: 'Orders' },
      { value: 'json:18', label: 'Customers' },
    ],
  });
  const found = await optionsOf(home, create, { field: 'table_id', search: 'cust' });
  expect(found.body.options).toEqual([{ value: 'json:18', label: 'Customers' }]);
  const inputs = { table_id: 'json:17' };
  // The piece accepts a number alone.
  const rows = await optionsOf(home, 'rows/actions/baserow_get_row', { field: 'row_id', inputs });
  expect(rows.body.options).toEqual([{ value: 'json:5', label: '#5 First' }]);
  const { body: dynamic } = await optionsOf(home, create, { field: 'table_fields', inputs });
  expect(dynamic).toEqual({
    fields: [
      { key: 'Title', label: 'Title', type: 'text', required: false },
      { key: 'Amount', label: 'Amount', type: 'number', required: false },
    ],
  });
  const lacking = await optionsOf(home, create, { field: 'table_fields', inputs: {} });
  expect([lacking.status, lacking.body.errors]).toMatchObject([400, [{ path: 'inputs.table_id' }]]);
  const stranger = await makeHome();
  expect((await optionsOf(stranger, create, { field: 'table_id' })).status).toBe(404);

  const printed = await at.perdure(['apps', 'options', 'rows.baserow_create_row', 'table_id']);
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/json:17 +Orders/) });
  const asked = ['apps', 'options', 'rows.baserow_create_row', 'table_fields', '--input', 'table_id=json:17'];
  expect((await at.perdure(asked)).stdout).toMatch(/FIELD +TYPE +REQUIRED +LABEL\s+Title +text +Title/);

  const made = await runOf(home, 'rows.baserow_create_row', { ...inputs, table_fields: { Title: 'New', Amount: 3 } });
  expect(made).toMatchObject({ status: 'COMPLETED', output: { id: 6, Title: 'New', Amount: 3 } });
  expect(calls.at(-1)?.headers.authorization).toBe('Token rows-secret-1');
});

test('WordPress (framework 0.32): categories by number, a post, and a page that does not exist', async () => {
  const { url, calls } = await service({
    'GET /': () => ({}),
    'GET /wp-json/wp/v2/categories': () => [{ id: 3, name: 'News' }],
    'POST /wp-json/wp/v2/posts': ({ body }) => ({ id: 9, ...JSON.parse(body) }),
  });
  const home = await makeHome();
  const values = { username: 'ada', password: 'word-press-1', website_url: url };
  await importedPiece(
    home,
    { slug: 'press', package: '@activepieces/piece-wordpress@0.7.0', actions: ['create_post', 'get_post'] },
    { type: 'custom', values },
  );
  const { body } = await optionsOf(home, 'press/actions/create_post', { field: 'categories' });
  expect(body).toEqual({ options: [{ value: 'json:3', label: 'News' }] });
  const post = { title: 'Hello', content: '<p>Hi</p>', status: 'draft', categories: ['json:3'] };
  const made = await runOf(home, 'press.create_post', post);
  expect(made).toMatchObject({ status: 'COMPLETED', output: { status: 200, body: { id: 9, categories: [3] } } });
  const basic = `Basic ${Buffer.from('ada:word-press-1').toString('base64')}`;
  expect(calls.at(-1)?.headers.authorization).toBe(basic);
  const gone = await runOf(home, 'press.get_post', { id: 404 });
  expect(gone.step).toMatchObject({ status: 'FAILED', error: { code: 'HTTP_STATUS', details: { status: 404 } } });
});

test('Ghost (framework 0.32): its token is signed in the fence; a time is ISO 8601', async () => {
  const { url, calls } = await service({
    'GET /ghost/api/admin/users': () => ({ users: [{ id: 'u1', name: 'Ada', email: 'ada@example.com' }] }),
    'POST /ghost/api/admin/posts': ({ body }) => JSON.parse(body),
  });
  const home = await makeHome();
  const key = '0123456789abcdef0123456789abcdef';
  await importedPiece(
    home,
    { slug: 'ghost', package: '@activepieces/piece-ghostcms@0.2.0', actions: ['create_post'] },
    { type: 'custom', values: { baseUrl: url, apiKey: `k1:${key}` } },
  );
  const { body } = await optionsOf(home, 'ghost/actions/create_post', { field: 'author' });
  expect(body).toEqual({ options: [{ value: 'ada@example.com', label: 'Ada' }] });
  const post = { title: 'Hello', status: 'scheduled', html: '<p>Hi</p>', author: 'ada@example.com' };
  const made = await runOf(home, 'ghost.create_post', { ...post, publishedAt: '2027-01-02' });
  expect(made).toMatchObject({
    ...{ status: 'COMPLETED', output: { posts: [{ published_at: '2027-01-02T00:00:00.000Z' }] } },
  });
  const [head = '', claims = '', signature] = String(calls.at(-1)?.headers.authorization).slice(6).split('.');
  const expected = createHmac('sha256', Buffer.from(key, 'hex')).update(`${head}.${claims}`).digest('base64url');
  expect(signature).toBe(expected);
});

(MARIADB === undefined ? test.skip : test)('MySQL (framework 0.32): its protocol through the fence', async () => {
  const server = await startMariaDb(MARIADB ?? '');
  try {
    const home = await makeHome();
    await importedPiece(
      home,
      { slug: 'sql', package: '@activepieces/piece-mysql@0.2.7' },
      { type: 'custom', values: server.credentials },
    );
    for (const query of ['CREATE TABLE tea (id INT PRIMARY KEY, name TEXT)', "INSERT INTO tea VALUES (1, 'Assam')"]) {
      expect(await runOf(home, 'sql.execute_query', { query })).toMatchObject({ status: 'COMPLETED' });
    }
    const tables = await optionsOf(home, 'sql/actions/find_rows', { field: 'table' });
    const [table] = tables.body.options;
    expect(table).toMatchObject({ label: expect.stringContaining('tea') });
    const found = await runOf(home, 'sql.find_rows', { table: table.value, condition: 'id = ?', args: [1] });
    expect(found).toMatchObject({ status: 'COMPLETED' });
    expect(JSON.stringify(found.output)).toContain('Assam');
    const failed = await runOf(home, 'sql.execute_query', { query: 'SELECT nothing FROM nowhere' });
    expect(failed.step).toMatchObject({ status: 'FAILED', error: { code: 'ER_NO_SUCH_TABLE' } });
  } finally {
    await server.stop();
  }
});

(MOTO === undefined ? test.skip : test)(
  'Amazon S3 (framework 0.5, AWS SDK): an object is read, then has no file',
  async () => {
    const store = await startMoto(MOTO ?? '');
    try {
      await fetch(`${store.url}/tea`, { method: 'PUT' });
      await fetch(`${store.url}/tea/a.txt`, { method: 'PUT', body: 'Assam' });
      const home = await makeHome();
      const values = { accessKeyId: 'AKID', secretAccessKey: 'secret-key-2', bucket: 'tea', endpoint: store.url };
      await importedPiece(
        home,
        { slug: 'store', package: '@activepieces/piece-amazon-s3@0.3.1' },
        { type: 'custom', values: { ...values, region: 'us-east-1' } },
      );
      const read = await runOf(home, 'store.read-file', { key: 'a.txt' });
      const message = 'The piece uses context.files.write, which Perdure does not have';
      expect(read.step).toMatchObject({ status: 'FAILED', error: { code: 'PIECE_UNSUPPORTED', message } });
      const gone = await runOf(home, 'store.read-file', { key: 'b.txt' });
      expect(gone.step).toMatchObject({ status: 'FAILED', error: { code: 'HTTP_STATUS', details: { status: 404 } } });
    } finally {
      await store.stop();
    }
  },
);
