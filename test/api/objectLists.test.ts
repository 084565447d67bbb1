import { beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { call } from './call.ts';

type Desk = Awaited<ReturnType<typeof orderDesk>>;
let desk: Desk;
let me: string;
const names = (answer: { body: { items: { name: string }[] } }) => answer.body.items.map(({ name }) => name);
const list = async (query: string) => names(await desk.get(`/api/objects?${query}`));

beforeAll(async () => {
  desk = await orderDesk();
  const { key, email, password, post, create } = desk;
  const { access_token: token } = (await call('POST', '/api/auth/login', { body: { email, password } })).body;
  me = (await call('GET', '/api/users/me', { token })).body.id;
  await post('/api/object-types/upsert', { slug: 'free', allowUnknownAttributes: true });
  const make = async (name: string, attributes: object, more: object = {}) =>
    (await create({ name, attributes, ...more })).body;
  await make('Apple', { total: 10, email: 'ann@example.com', tags: ['red', 'round'], paid: true });
  await make('banana', { total: 9, email: 'bea@example.com', tags: ['long'] }, { ownerId: me });
  await make('Cherry 100%', { total: 100, note: '10' });
  const last = await make('date_1', { total: 9.5, approvedBy: 'Ann', paid: false }, { state: 'approved' });
  await post('/api/objects', { objectTypeSlug: 'free', name: 'Elder', attributes: { total: 'ten', 'a.b c': 'x' } });
  await call('PATCH', `/api/objects/${last.id}`, { key, body: { attributes: { note: 'touched' } } });
});

test('the last updated come first; a page has 25, and says how many there are', async () => {
  const all = await desk.get('/api/objects');
  expect(names(all)).toEqual(['date_1', 'Elder', 'Cherry 100%', 'banana', 'Apple']);
  expect(all.body.pagination).toEqual({ page: 1, pageSize: 25, total: 5, totalPages: 1 });
  expect(Object.keys(all.body.items[0]).sort()).toEqual(['id', 'name', 'objectTypeId', 'state']);
});

test('pages are numbered', async () => {
  const page = await desk.get('/api/objects?pageSize=2&page=2');
  expect([names(page), page.body.pagination]).toEqual([
    ['Cherry 100%', 'banana'],
    { page: 2, pageSize: 2, total: 5, totalPages: 3 },
  ]);
  const beyond = await desk.get('/api/objects?pageSize=2&page=9');
  expect([names(beyond), beyond.body.pagination.total]).toEqual([[], 5]);
  for (const wrong of ['pageSize=101', 'pageSize=0', 'page=0', 'page=x', 'page=1.5']) {
    expect((await desk.get(`/api/objects?${wrong}`)).status).toBe(400);
  }
});

test.each([
  ['objectTypeSlug=free', ['Elder']],
  ['objectTypeSlug=nothing', []],
  [`objectTypeId=${v7()}`, []],
  ['state=approved', ['date_1']],
  ['state=nothing', []],
  ['states=approved,draft&sortBy=name', ['Apple', 'Cherry 100%', 'banana', 'date_1']],
  ['states=approved,draft&state=approved', ['date_1']],
  ['search=AN', ['banana']],
  ['search=100%25', ['Cherry 100%']],
  ['search=_', ['date_1']],
  // Forms and URLSearchParams write a space as +; a query may contain these characters unescaped (RFC 3986, 3.4).
  ['search=cherry+100', ['Cherry 100%']],
  ["search=a/b?c:d@e!$'()*,;=", []],
  ['objectTypeSlug=a/b', []],
  ['state=in+review', []],
  ['attributes.total=ten&sortBy=attributes.a.b+c', ['Elder']],
  ['attributes.total=10', ['Apple']],
  ['attributes.total=9.5', ['date_1']],
  ['attributes.total=ten', ['Elder']],
  ['attributes.note=10', ['Cherry 100%']],
  ['attributes.paid=true', ['Apple']],
  ['attributes.tags=round', ['Apple']],
  ['attributes.email=ann@example.com&attributes.total=10', ['Apple']],
  ['attributes.email=ann@example.com&attributes.total=9', []],
  ['attributes.a.b%20c=x', ['Elder']],
  ['attributes.nothing=x', []],
])('%s', async (query, expected) => {
  expect((await list(query)).sort()).toEqual([...expected].sort());
});

test('of one type, of one owner', async () => {
  expect(await list(`objectTypeId=${desk.typeId}&search=apple`)).toEqual(['Apple']);
  expect(await list(`ownerId=${me}`)).toEqual(['banana']);
  expect(await list(`ownerId=${v7()}`)).toEqual([]);
});

test.each([
  ['sortBy=attributes.total&objectTypeSlug=order', ['banana', 'date_1', 'Apple', 'Cherry 100%']],
  ['sortBy=attributes.total&sortOrder=desc&objectTypeSlug=order', ['Cherry 100%', 'Apple', 'date_1', 'banana']],
  ['sortBy=createdAt', ['Apple', 'banana', 'Cherry 100%', 'date_1', 'Elder']],
  ['sortBy=createdAt&sortOrder=desc', ['Elder', 'date_1', 'Cherry 100%', 'banana', 'Apple']],
  ['sortBy=updatedAt', ['Apple', 'banana', 'Cherry 100%', 'Elder', 'date_1']],
  ['sortOrder=asc', ['Apple', 'banana', 'Cherry 100%', 'Elder', 'date_1']],
  ['sortBy=state&objectTypeSlug=order&search=a&sortOrder=asc', ['date_1', 'Apple', 'banana']],
])('%s', async (query, expected) => {
  expect(await list(query)).toEqual(expected);
});

test('entities without the attribute come last, in both directions', async () => {
  for (const order of ['asc', 'desc']) {
    const found = await list(`sortBy=attributes.email&sortOrder=${order}`);
    expect(found.slice(0, 2).sort()).toEqual(['Apple', 'banana']);
  }
});

test.each([
  'sortBy=owner',
  'sortBy=attributes.',
  'sortOrder=up',
  'ownerId=me',
  'objectTypeId=x',
  'limit=10',
  'attributes=1',
  'attributes.a=1&attributes.a=2',
  `attributes.${'x'.repeat(201)}=1`,
  Array.from({ length: 21 }, (_, at) => `attributes.a${at}=1`).join('&'),
  'expansion=secrets',
])('%s is refused', async (query) => {
  expect(await desk.get(`/api/objects?${query}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});

test('a list shows the requested fields', async () => {
  const found = await desk.get('/api/objects?search=apple&expansion=attributes,objectType');
  expect(found.body.items[0]).toMatchObject({ attributes: { total: 10 }, objectType: { slug: 'order' } });
});
