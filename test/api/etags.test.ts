import { expect, test } from '@jest/globals';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const done = action('done', 'core.set', { values: { done: true } });

interface Kind {
  name: string;
  upsert?: (home: Home, name: string, headers?: Record<string, string>) => ReturnType<Home['api']>;
  make: (home: Home) => Promise<string>;
  path: string;
  expansion: string;
  change?: { member: string };
}

const made = async (answer: ReturnType<Home['api']>): Promise<string> => {
  const { status, body } = await answer;
  if (status > 299) throw new Error(JSON.stringify(body));
  return body.id;
};
const upsertWorkflow: Kind['upsert'] = (home, name, headers = {}) =>
  home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
    ...{ body: { slug: 'w', name, nodes: [done], edges: [], managedByCode: false }, headers },
  });
const upsertAgent: Kind['upsert'] = (home, name, headers = {}) =>
  home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    ...{ body: { slug: 'a', name, instructions: 'Help.', model: 'm' }, headers },
  });
const upsertType: Kind['upsert'] = (home, name, headers = {}) =>
  home.api('POST', '/api/object-types/upsert', { body: { slug: 't', name }, headers });

const KINDS: Kind[] = [
  {
    name: 'workflow',
    upsert: upsertWorkflow,
    make: (home) => made(upsertWorkflow(home, 'one')),
    path: 'workflows',
    expansion: 'nodes,version',
    change: { member: 'name' },
  },
  {
    name: 'agent',
    upsert: upsertAgent,
    make: (home) => made(upsertAgent(home, 'one')),
    path: 'agents',
    expansion: 'instructions',
  },
  {
    name: 'entity type',
    upsert: upsertType,
    make: (home) => made(upsertType(home, 'one')),
    path: 'object-types',
    expansion: 'attributeSchema',
  },
  {
    name: 'queue',
    make: (home) => made(home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'one' } })),
    path: 'queues',
    expansion: 'description',
    change: { member: 'name' },
  },
  {
    name: 'knowledge base',
    make: (home) => made(home.api('POST', '/api/knowledge', { body: { name: 'one' } })),
    path: 'knowledge',
    expansion: 'description',
    change: { member: 'name' },
  },
  {
    name: 'variable',
    make: (home) => made(home.api('POST', '/api/variables', { body: { name: 'one', value: 1 } })),
    path: 'variables',
    expansion: 'description',
    change: { member: 'description' },
  },
];

const etag = async (home: Home, path: string) => {
  const { headers } = await home.api('GET', path);
  return headers.get('etag') ?? '';
};
const FAILED = [412, 'PRECONDITION_FAILED'];
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

test.each(KINDS)('with If-Match a $name is written only if unchanged since any read', async (kind) => {
  const home = await makeHome();
  const path = `/api/${kind.path}/${await kind.make(home)}`;
  const write = (name: string, headers?: Record<string, string>) =>
    kind.upsert
      ? kind.upsert(home, name, headers)
      : home.api('PATCH', path, { body: { [kind.change?.member ?? '']: name }, ...(headers ? { headers } : {}) });
  const [plain, expanded] = [await etag(home, path), await etag(home, `${path}?expansion=${kind.expansion}`)];
  expect(plain).toMatch(/^"[^"]+"$/);
  const changed = await write('two', { 'if-match': expanded });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(plain);
  for (const stale of [plain, expanded, '"other"'])
    expect(outcome(await write('three', { 'if-match': stale }))).toEqual(FAILED);
  expect((await write('three', { 'if-match': `"other", ${changed.headers.get('etag')}` })).status).toBe(200);
  expect((await write('four', { 'if-match': '*' })).status).toBe(200);
  expect((await write('five')).status).toBe(200);
  expect(outcome(await write('six', { 'if-match': 'unquoted' }))).toEqual([400, 'VALIDATION_FAILED']);

  const now = await etag(home, path);
  const read = (known: string) => home.api('GET', path, { headers: { 'if-none-match': known } });
  expect((await read(now)).status).toBe(304);
  expect((await read(`W/${now}`)).status).toBe(304);
  expect((await read(plain)).status).toBe(200);
  expect(outcome(await home.api('DELETE', path, { headers: { 'if-match': plain } }))).toEqual(FAILED);
  expect((await home.api('DELETE', path, { headers: { 'if-match': now } })).status).toBe(200);
});

test.each(KINDS)('of two writers of a $name with the same If-Match one wins', async (kind) => {
  const home = await makeHome();
  const path = `/api/${kind.path}/${await kind.make(home)}`;
  for (let round = 0; round < 4; round++) {
    const headers = { 'if-match': await etag(home, path) };
    const writes = ['a', 'b', 'c'].map((name) =>
      kind.upsert
        ? kind.upsert(home, `${name}${round}`, headers)
        : home.api('PATCH', path, { body: { [kind.change?.member ?? '']: `${name}${round}` }, headers }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412]);
  }
});

test('an upsert with If-Match creates nothing, and succeeds if it changes nothing', async () => {
  const home = await makeHome();
  for (const upsert of [upsertWorkflow, upsertAgent, upsertType]) {
    for (const match of ['*', '"1-1/x"'])
      expect(outcome(await upsert(home, 'one', { 'if-match': match }))).toEqual(FAILED);
    expect((await upsert(home, 'one')).body.created).toBe(true);
    expect((await upsert(home, 'one', { 'if-match': '"1-1/x"' })).status).toBe(200);
  }
});

test('the catalogue has an ETag', async () => {
  const home = await makeHome();
  const known = await etag(home, '/api/workflow-apps');
  const again = await home.api('GET', '/api/workflow-apps', { headers: { 'if-none-match': known } });
  expect([again.status, again.headers.get('etag')]).toEqual([304, known]);
});
