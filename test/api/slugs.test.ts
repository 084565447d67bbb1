import { describe, expect, test } from '@jest/globals';
import { type Home, makeHome } from '../setup/workspace/home.ts';

interface Kind {
  create(home: Home, body: { name: string; slug?: string }): ReturnType<Home['api']>;
  path: string;
}

const KINDS: Record<string, Kind> = {
  queue: {
    create: (home, body) => home.api('POST', `/api/queues?projectId=${home.projectId}`, { body }),
    path: '/api/queues',
  },
  'knowledge base': { create: (home, body) => home.api('POST', '/api/knowledge', { body }), path: '/api/knowledge' },
  connection: {
    create: (home, body) =>
      home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
        body: { ...body, credentials: { apiKey: 'a-key', header: 'X-Key', allowedHosts: ['example.com'] } },
      }),
    path: '/api/connections',
  },
};

describe.each(Object.entries(KINDS))('a %s', (_, { create, path }) => {
  const slugOf = async (home: Home, id: string) => (await home.api('GET', `${path}/${id}?expansion=slug`)).body.slug;

  test('has a slug of its name where it is given none, and its own where it is', async () => {
    const home = await makeHome();
    const made = async (body: { name: string; slug?: string }) => {
      const { status, body: answer } = await create(home, body);
      expect(status).toBeLessThan(300);
      return slugOf(home, answer.id);
    };
    expect(await made({ name: 'Größe & Co. (2024)' })).toBe('gro-e-co-2024');
    expect(await made({ name: 'Refunds' })).toBe('refunds');
    expect(await made({ name: 'refunds' })).toBe('refunds-2');
    expect(await made({ name: 'REFUNDS!' })).toBe('refunds-3');
    expect(await made({ name: '???' })).toMatch(/^(queue|knowledge|connection)$/);
    expect(await made({ name: 'n'.repeat(200) })).toHaveLength(55);
    expect(await made({ name: 'Refunds', slug: 'own_one' })).toBe('own_one');
  });

  test('is found by it, and another of it is 409 with its place', async () => {
    const home = await makeHome();
    const { body } = await create(home, { name: 'One', slug: 'one' });
    const found = await home.api('GET', `${path}?filterBy=slug:one`);
    expect(found.body.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    const second = await create(home, { name: 'Two', slug: 'one' });
    expect([second.status, second.body.code, second.body.errors]).toEqual([
      409,
      'CONFLICT',
      [{ path: 'slug', message: 'is already used: expected another one' }],
    ]);
    const malformed = await create(home, { name: 'Two', slug: 'No Slug' });
    expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, 'slug']);
  });

  test('ten of one name at once get ten slugs', async () => {
    const home = await makeHome();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(home, { name: 'Same' })));
    const slugs = await Promise.all(answers.map(({ body }) => slugOf(home, body.id)));
    expect(new Set(slugs).size).toBe(10);
    expect(slugs.every((slug) => /^same(-\d+)?$/.test(slug))).toBe(true);
  });
});

test.each(['/api/queues', '/api/knowledge'])('PATCH of %s changes a slug, and refuses a used one', async (path) => {
  const home = await makeHome();
  const create = path === '/api/queues' ? KINDS.queue?.create : KINDS['knowledge base']?.create;
  const [one, two] = await Promise.all(['one', 'two'].map(async (name) => (await create?.(home, { name }))?.body));
  const renamed = await home.api('PATCH', `${path}/${one.id}?expansion=slug`, { body: { slug: 'three' } });
  expect(renamed.body.slug).toBe('three');
  const refused = await home.api('PATCH', `${path}/${two.id}`, { body: { slug: 'three' } });
  expect([refused.status, refused.body.errors[0].path]).toEqual([409, 'slug']);
});

test('a deleted queue leaves its slug to others', async () => {
  const home = await makeHome();
  const create = () => home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'q', slug: 'q' } });
  const first = await create();
  await home.api('DELETE', `/api/queues/${first.body.id}`);
  expect((await create()).status).toBe(201);
  expect((await home.api('POST', `/api/queues/${first.body.id}/restore`)).status).toBe(409);
});
