import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { call } from './call.ts';

async function order(attributes: object = {}) {
  const desk = await orderDesk();
  const { body } = await desk.create({ name: 'Order', attributes: { total: 1, ...attributes } });
  const path = `/api/objects/${body.id}`;
  const move = (state: string, reason?: string | null) => desk.post(`${path}/state`, { state, reason });
  const history = async () => (await desk.get(`${path}/state/history`)).body;
  return { ...desk, id: body.id, path, move, history };
}

test('an entity moves, and its history has actor, time and reason', async () => {
  const { get, path, history, key, email, password, post, create } = await order({ approvedBy: 'Ann' });
  const me = (await call('GET', '/api/users/me', { key })).body.apiKey;
  const moved = await post(`${path}/state?expansion=stateHistory`, { state: 'approved' });
  expect(moved).toMatchObject({ status: 201, body: { state: 'approved' } });
  expect(moved.body.stateHistory).toEqual(await history());
  const { access_token: token } = (await call('POST', '/api/auth/login', { body: { email, password } })).body;
  const person = (await call('GET', '/api/users/me', { token })).body;
  const body = { state: 'cancelled', reason: 'Ordered twice' };
  await call('POST', `${path}/state`, { token, body });
  expect(await history()).toEqual([
    {
      id: expect.any(String),
      from: 'approved',
      to: 'cancelled',
      reason: 'Ordered twice',
      changedBy: { type: 'user', id: person.id, name: person.name },
      changedAt: expect.any(String),
    },
    {
      id: expect.any(String),
      from: 'draft',
      to: 'approved',
      reason: null,
      changedBy: { type: 'apiKey', id: me.id, name: me.name },
      changedAt: expect.any(String),
    },
  ]);
  const first = await get(`${path}/state/history?limit=1`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await get(next);
  expect([...first.body, ...second.body]).toEqual(await history());
  expect(second.headers.get('link')).toBeNull();
  const other = (await create({ name: 'Other', attributes: { total: 1 } })).body.id;
  expect((await get(next.replace(/[^/]+(?=\/state)/, other))).body).toMatchObject({ errors: [{ path: 'cursor' }] });
  for (const limit of ['0', '501', 'x']) {
    expect((await get(`${path}/state/history?limit=${limit}`)).status).toBe(400);
  }
  expect((await get(`${path}?expansion=stateHistory`)).body.stateHistory).toEqual(await history());
  expect((await post(`/api/objects/${v7()}/state`, { state: 'approved' })).status).toBe(404);
});

test.each([
  ['a move that no transition makes', 'shipped', 'x', 'INVALID_TRANSITION', 'state'],
  ['a move to where it is', 'draft', 'x', 'INVALID_TRANSITION', 'state'],
  ['a move to no state', 'nowhere', 'x', 'INVALID_TRANSITION', 'state'],
  ['a move without its reason', 'cancelled', undefined, 'REASON_REQUIRED', 'reason'],
  ['a move with a blank reason', 'cancelled', ' ', 'REASON_REQUIRED', 'reason'],
  ['a move without its fields', 'approved', undefined, 'MISSING_FIELDS', 'attributes.approvedBy'],
])('%s is refused, and leaves no trace', async (_, to, reason, code, place) => {
  const { move, get, path, history } = await order({ approvedBy: ' ' });
  const refused = await move(to, reason);
  expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([400, code, place]);
  expect((await get(path)).body.state).toBe('draft');
  expect(await history()).toEqual([]);
});

test.each([
  ['no state', {}],
  ['an empty state', { state: '' }],
  ['another kind', { state: 1 }],
  ['an unknown member', { state: 'approved', force: true }],
])('%s in the body is refused', async (_, body) => {
  const { post, path } = await order();
  expect(await post(`${path}/state`, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});

test('a read lists the possible moves', async () => {
  const { get, path, post } = await order();
  const offered = await get(`${path}/state/transitions`);
  expect(offered).toMatchObject({
    status: 200,
    body: {
      currentState: 'draft',
      transitions: [
        {
          to: 'approved',
          name: 'Approve',
          requiresReason: false,
          requiredFields: ['approvedBy'],
          missingFields: ['approvedBy'],
        },
        { to: 'cancelled', name: 'Cancel', requiresReason: true, requiredFields: [], missingFields: [] },
      ],
    },
  });
  expect(offered.body.states.map(({ id }: { id: string }) => id)).toEqual([
    'draft',
    'approved',
    'shipped',
    'cancelled',
  ]);
  await post('/api/object-types/upsert', { slug: 'plain' });
  const plain = await post('/api/objects', { objectTypeSlug: 'plain', name: 'x' });
  expect((await get(`/api/objects/${plain.body.id}/state/transitions`)).body).toEqual({
    currentState: null,
    transitions: [],
    states: [],
  });
  const refused = await post(`/api/objects/${plain.body.id}/state`, { state: 'draft' });
  expect(refused.body.code).toBe('INVALID_TRANSITION');
});

test('without transitions every move is allowed; states that come later are entered by the initial one', async () => {
  const { post, get } = await orderDesk();
  await post('/api/object-types/upsert', { slug: 'card' });
  const { id } = (await post('/api/objects', { objectTypeSlug: 'card', name: 'x' })).body;
  const states = [{ id: 'a' }, { id: 'b' }];
  await post('/api/object-types/upsert', { slug: 'card', stateSchema: { initial: 'a', states, transitions: [] } });
  const moves = async () => (await get(`/api/objects/${id}/state/transitions`)).body.transitions;
  expect((await moves()).map(({ to }: { to: string }) => to)).toEqual(['a']);
  expect((await post(`/api/objects/${id}/state`, { state: 'a' })).status).toBe(201);
  expect(await moves()).toEqual([]);
  await post('/api/object-types/upsert', { slug: 'card', stateSchema: { initial: 'a', states } });
  expect((await moves()).map(({ to }: { to: string }) => to)).toEqual(['b']);
  expect((await post(`/api/objects/${id}/state`, { state: 'b' })).body.state).toBe('b');
});

test('one of twenty concurrent moves of an entity succeeds, and the others get an error', async () => {
  const { move, history, get, path } = await order({ approvedBy: 'Ann' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => move('approved')));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body.code)).toEqual(Array(19).fill('INVALID_TRANSITION'));
  expect((await get(path)).body.state).toBe('approved');
  expect(await history()).toHaveLength(1);
});

test('twenty moves and twenty changes at once leave a history without gaps', async () => {
  const { post, get, call: ask } = await orderDesk();
  const states = ['a', 'b', 'c'].map((id) => ({ id }));
  await post('/api/object-types/upsert', {
    slug: 'card',
    stateSchema: { initial: 'a', states },
    allowUnknownAttributes: true,
  });
  const { id } = (await post('/api/objects', { objectTypeSlug: 'card', name: 'x' })).body;
  const [moves, changes] = await Promise.all([
    Promise.all(
      Array.from({ length: 20 }, (_, at) => post(`/api/objects/${id}/state`, { state: ['b', 'c', 'a'][at % 3] })),
    ),
    Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ask('PATCH', `/api/objects/${id}`, { body: { attributes: { [`n${at}`]: at } } }),
      ),
    ),
  ]);
  expect(changes.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const made = moves.filter(({ status }) => status === 201).length;
  const { state, attributes, stateHistory } = (await get(`/api/objects/${id}?expansion=attributes,stateHistory`)).body;
  expect(Object.keys(attributes)).toHaveLength(20);
  expect(stateHistory).toHaveLength(made);
  const oldestFirst = [...stateHistory].reverse() as { from: string; to: string }[];
  expect(oldestFirst.map(({ from }) => from)).toEqual(['a', ...oldestFirst.map(({ to }) => to)].slice(0, -1));
  expect(oldestFirst.at(-1)?.to).toBe(state);
});

test('a move brings attributes, which are written with it or not at all', async () => {
  const { post, get, path, history } = await order({ note: 'As it was', email: 'a@b.example' });
  const read = async () => (await get(`${path}?expansion=attributes`)).body;
  const before = await read();
  const refusals: [object, string, string][] = [
    [{ state: 'shipped', attributes: { note: 'x' } }, 'INVALID_TRANSITION', 'state'],
    [{ state: 'approved', attributes: { note: 'x' } }, 'MISSING_FIELDS', 'attributes.approvedBy'],
    [{ state: 'approved', attributes: { approvedBy: 'Ann', total: 'much' } }, 'VALIDATION_FAILED', 'attributes.total'],
    [
      { state: 'approved', attributes: { approvedBy: 'Ann', colour: 'red' } },
      'UNKNOWN_ATTRIBUTES',
      'attributes.colour',
    ],
    [
      { state: 'approved', attributes: { approvedBy: 'Ann', customer: v7() } },
      'VALIDATION_FAILED',
      'attributes.customer',
    ],
    [{ state: 'approved', attributes: [] }, 'VALIDATION_FAILED', 'attributes'],
  ];
  for (const [body, code, place] of refusals) {
    const refused = await post(`${path}/state`, body);
    expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([400, code, place]);
  }
  expect([await read(), await history()]).toEqual([before, []]);
  const moved = await post(`${path}/state?expansion=attributes`, {
    state: 'approved',
    attributes: { approvedBy: 'Ann', email: null },
  });
  expect(moved).toMatchObject({ status: 201, body: { state: 'approved' } });
  expect(moved.body.attributes).toEqual({ total: 1, note: 'As it was', approvedBy: 'Ann' });
  expect(await history()).toMatchObject([{ from: 'draft', to: 'approved' }]);
});

test('one of twenty simultaneous moves with different values writes its own', async () => {
  const { post, get, path, history } = await order();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      post(`${path}/state`, { state: 'approved', attributes: { approvedBy: `Person ${at}` } }),
    ),
  );
  const won = answers.findIndex(({ status }) => status === 201);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await get(`${path}?expansion=attributes`)).body.attributes.approvedBy).toBe(`Person ${won}`);
  expect(await history()).toHaveLength(1);
});

test('a move under one key is made once', async () => {
  const { key, path, history } = await order({ approvedBy: 'Ann' });
  const request = { key, body: { state: 'approved' }, headers: { 'idempotency-key': 'move' } };
  const first = await call('POST', `${path}/state`, request);
  const second = await call('POST', `${path}/state`, request);
  expect([second.status, second.body]).toEqual([201, first.body]);
  expect(await history()).toHaveLength(1);
});
