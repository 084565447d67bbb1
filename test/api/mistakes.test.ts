import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { checkInternalNames } from '../setup/api/internalNames.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const { url, apiKey, projectId } = await makeWorkspace();
const call = api(url, apiKey);

test.each([
  [
    'POST',
    '/api/projects',
    { name: 'a', desc: 'b' },
    ['desc: unknown key, expected one of name, slug, description, onFailureWorkflowId'],
  ],
  [
    'POST',
    '/api/queues',
    { name: 'a', projectId },
    ['projectId: required as a query parameter', 'projectId: unknown key: here it is a query parameter'],
  ],
  [
    'POST',
    `/api/queues/${randomUUID()}/items/bulk`,
    { items: [{ data: {} }, { data: {}, scheduledFor: 'tomorrow' }], options: { duplicate: 'skip' } },
    [
      'items[1].scheduledFor: expected a time such as 2026-11-21T10:15:30.123Z',
      'options.duplicate: unknown key, expected one of duplicates',
    ],
  ],
  [
    'GET',
    '/api/projects?expand=workflows',
    undefined,
    ["expand: Unknown query parameter 'expand': expected one of expansion, filterBy, limit, cursor"],
  ],
  ['GET', '/api/projects?limit=1&limit=2', undefined, ['limit: is given several times: expected one value']],
] as const)('%s %s: a mistake is answered with its place, and with what is expected there', async (...row) => {
  const [method, path, body, expected] = row;
  const answer = await call(method, path, body === undefined ? {} : { body });
  expect(answer.status).toBe(400);
  const errors = answer.body.errors as { path: string; message: string }[];
  expect(errors.map(({ path: place, message }) => `${place}: ${message}`).sort()).toEqual([...expected].sort());
});

// checkedFetch.ts searches every response of every test; this test proves that the search works.
test.each([
  'Key (workspace_id, slug) already exists',
  'relation "task_runs" does not exist',
  'new row violates check constraint',
  'variables_scope_name_key',
  'Invalid `prisma.variable.create()` invocation',
  'Cannot find module /app/node_modules/x',
  'at file:///app/dist/api/app.js:12:3',
])('a problem that says %j names what is internal', (text) => {
  expect(() => checkInternalNames('GET /', '', { detail: text })).toThrow('which is internal');
  expect(() => checkInternalNames('GET /', '', { errors: [{ path: 'a', message: text }] })).toThrow(
    'which is internal',
  );
  expect(() => checkInternalNames('GET /', text, { detail: text })).not.toThrow();
});

test('a constraint that two callers break is answered in words of the API', async () => {
  const body = { name: `twice-${randomUUID()}`, value: 1 };
  const all = await Promise.all([1, 2, 3].map(() => call('POST', '/api/variables', { body })));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(all.find(({ status }) => status === 409)?.body.errors).toEqual([
    { path: 'name', message: 'is already used: expected a name that is unique in the scope' },
  ]);
});
