// test: pglite
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { importObjects } from '../../engine/objects/importObjects.ts';
import { checksUpTo } from '../setup/database/objectChecks.ts';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

describe('imports', () => {
  const MAPPINGS = { Order: 'name', Total: 'total', Mail: 'email', Paid: 'paid' };

  async function desk() {
    const made = await orderDesk();
    const send = (body: object) =>
      made.post('/api/objects/import', { objectTypeSlug: 'order', columnMappings: MAPPINGS, ...body });
    const rows = async () => {
      const answer = await made.post('/api/objects/export', {
        objectTypeSlug: 'order',
        fields: ['total', 'email', 'paid'],
      });
      return answer.body.map(({ name, total, email, paid }: Record<string, unknown>) => ({ name, total, email, paid }));
    };
    return { ...made, send, rows };
  }

  test('each row makes an entity; a failure has row and field, and does not end the import', async () => {
    const { send, rows, get } = await desk();
    const answer = await send({
      rows: [
        { Order: 'A', Total: '12.5', Mail: 'a@example.com', Paid: 'TRUE', Other: 'left out' },
        { Order: '', Total: 1 },
        { Order: 'C', Total: 'much' },
        { Total: 4 },
        { Order: 'E' },
        { Order: 'F', Total: 6, Mail: 'nobody', Paid: '' },
        { Order: 1042, Total: 7, Mail: null },
      ],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      total: 7,
      created: 2,
      updated: 0,
      failed: 5,
      errors: [
        { row: 2, field: 'name', message: 'is required, as a text' },
        { row: 3, field: 'total', message: 'must be number' },
        { row: 4, field: 'name', message: 'is required, as a text' },
        { row: 5, field: 'total', message: 'is required' },
        { row: 6, field: 'email', message: 'must match format "email"' },
      ],
    });
    expect(await rows()).toEqual([
      { name: 'A', total: 12.5, email: 'a@example.com', paid: true },
      { name: '1042', total: 7, email: null, paid: null },
    ]);
    expect((await get('/api/objects?state=draft')).body.pagination.total).toBe(2);
  });

  test('with updateExisting a row changes the entity that has its value', async () => {
    const { send, rows, create } = await desk();
    await create({ name: 'Ann', attributes: { total: 1, email: 'ann@example.com', note: 'kept', paid: true } });
    await create({ name: 'Twin', attributes: { total: 2, email: 'twin@example.com' } });
    await create({ name: 'Twin', attributes: { total: 2, email: 'twin@example.com' } });
    const answer = await send({
      updateExisting: true,
      matchField: 'email',
      rows: [
        { Total: 10, Mail: 'ann@example.com', Paid: null },
        { Order: 'New', Total: 11, Mail: 'new@example.com' },
        { Order: 'Renamed', Total: 12, Mail: 'new@example.com' },
        { Order: 'Wrong', Total: 'x', Mail: 'new@example.com' },
        { Order: 'Whom?', Total: 13, Mail: 'twin@example.com' },
        { Order: 'Without', Total: 14 },
        { Total: 15, Mail: 'nameless@example.com' },
      ],
    });
    expect(answer.body).toEqual({
      total: 7,
      created: 2,
      updated: 2,
      failed: 3,
      errors: [
        { row: 4, field: 'total', message: 'must be number' },
        { row: 5, field: 'email', message: 'several entities have this value' },
        { row: 7, field: 'name', message: 'is required, as a text' },
      ],
    });
    expect(await rows()).toEqual([
      { name: 'Ann', total: 10, email: 'ann@example.com', paid: null },
      { name: 'Twin', total: 2, email: 'twin@example.com', paid: null },
      { name: 'Twin', total: 2, email: 'twin@example.com', paid: null },
      { name: 'Renamed', total: 12, email: 'new@example.com', paid: null },
      { name: 'Without', total: 14, email: null, paid: null },
    ]);
    const byName = await send({ updateExisting: true, matchField: 'name', rows: [{ Order: 'Ann', Total: 99 }] });
    expect(byName.body).toMatchObject({ created: 0, updated: 1 });
    expect((await rows())[0]).toMatchObject({ name: 'Ann', total: 99 });
  });

  test('a dry run gives the same report, and writes nothing', async () => {
    const { send, rows } = await desk();
    const body = {
      updateExisting: true,
      matchField: 'email',
      rows: [
        ...Array.from({ length: 1_001 }, (_, at) => ({ Order: 'x', Total: at, Mail: `m${at % 1_000}@example.com` })),
        { Order: 'x', Total: 'x' },
      ],
    };
    const tried = await send({ ...body, dryRun: true });
    expect(tried.body).toMatchObject({ total: 1_002, created: 1_000, updated: 1, failed: 1 });
    expect(await rows()).toEqual([]);
    expect((await send(body)).body).toEqual(tried.body);
  });

  test('states, owners and references come from columns too', async () => {
    const { post, get } = await desk();
    await post('/api/object-types/upsert', { slug: 'customer' });
    const ann = (await post('/api/objects', { objectTypeSlug: 'customer', name: 'Ann' })).body.id;
    const answer = await post('/api/objects/import', {
      objectTypeSlug: 'order',
      rows: [
        { entityName: 'A', total: 1, customer: ann, state: 'approved', approvedBy: 'Bea' },
        { name: 'B', total: 1, customer: v7() },
        { name: 'C', total: 1, state: 'gone' },
        { name: 'D', total: 1, state: 'approved' },
        { name: 'E', total: 1, ownerId: v7() },
        { name: 'F', total: 1, color: 'red' },
        { name: 'G', total: 1, extensions: { a: 1 }, tags: '["x"]' },
      ],
    });
    expect(answer.body).toMatchObject({ created: 2, failed: 5 });
    expect(answer.body.errors.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
      [2, 'customer'],
      [3, 'state'],
      [4, 'approvedBy'],
      [5, 'ownerId'],
      [6, 'color'],
    ]);
    const found = await get('/api/objects?attributes.tags=x&expansion=attributes');
    expect(found.body.items[0].attributes).toEqual({ total: 1, extensions: { a: 1 }, tags: ['x'] });
  });

  test.each([
    ['no type', { objectTypeSlug: undefined, rows: [] }, 'objectTypeId'],
    ['no rows', { rows: undefined }, 'rows'],
    ['rows that are none', { rows: ['x'] }, 'rows[0]'],
    ['no column for the name', { columnMappings: { Total: 'total' }, rows: [{}] }, 'columnMappings'],
    ['a column for nothing', { columnMappings: { Order: 'name', Color: 'color' }, rows: [{}] }, 'columnMappings.Color'],
    ['two columns for one', { columnMappings: { a: 'name', b: 'entityName' }, rows: [{}] }, 'columnMappings.b'],
    ['no field to match by', { updateExisting: true, rows: [{}] }, 'matchField'],
    ['an unknown field to match by', { updateExisting: true, matchField: 'color', rows: [{}] }, 'matchField'],
  ])('%s is refused as a whole', async (_, body, place) => {
    const { send, rows } = await desk();
    const refused = await send(body);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toContain(place);
    expect(await rows()).toEqual([]);
  });

  test('more rows than are taken at once are refused', async () => {
    const { send, post } = await desk();
    const refused = await send({ rows: Array.from({ length: 50_001 }, () => ({})) });
    expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'rows' }] });
    expect((await post('/api/objects/import', { objectTypeSlug: 'other', rows: [] })).status).toBe(404);
  });

  test('the same import under one key is made once', async () => {
    const { key, rows } = await desk();
    const body = { objectTypeSlug: 'order', columnMappings: MAPPINGS, rows: [{ Order: 'A', Total: 1 }] };
    const headers = { 'idempotency-key': 'import' };
    const first = await call('POST', '/api/objects/import', { key, body, headers });
    const second = await call('POST', '/api/objects/import', { key, body, headers });
    expect(second.body).toEqual(first.body);
    expect(await rows()).toHaveLength(1);
  });

  test.each([undefined, 'email'])(
    'an import whose process died continues at the same row (matched by %s)',
    async (matchField) => {
      const { workspaceId, rows, call: ask, get } = await desk();
      const context = {
        database: stackDatabase(),
        workspaceId,
        importId: v7(),
        by: { type: 'apiKey', id: randomUUID() } as const,
        checks: checksUpTo(262_144),
      };
      const all = Array.from({ length: 2_500 }, (_, at) => ({
        Order: `O${at}`,
        Total: at,
        Mail: `m${at}@example.com`,
      }));
      const request = { type: { slug: 'order' }, columnMappings: MAPPINGS, matchField, dryRun: false };
      // A killed import leaves only whole batches.
      await importObjects(context, { ...request, rows: all.slice(0, 2_000) });
      const changes = async () => {
        const { rows: found } = await stackDatabase().pool.query(
          'SELECT count(*)::int AS count FROM object_changes WHERE workspace_id = $1',
          [workspaceId],
        );
        return found[0].count;
      };
      expect(await changes()).toBe(2_000);
      expect(await importObjects(context, { ...request, rows: all })).toEqual({
        total: 2_500,
        created: 2_500,
        updated: 0,
        failed: 0,
        errors: [],
      });
      expect(await rows()).toHaveLength(2_500);
      expect(await changes()).toBe(2_500);
      const one = (await get('/api/objects?search=O2499')).body.items[0];
      await ask('DELETE', `/api/objects/${one.id}`);
      expect(await importObjects(context, { ...request, rows: all })).toMatchObject({ created: 2_500, failed: 0 });
    },
  );

  test('two imports and concurrent changes of the same entities: every row counts, and nothing is lost', async () => {
    const { send, create, call: ask, get } = await desk();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        create({ name: `O${at}`, attributes: { total: 0, email: `m${at}@example.com` } }),
      ),
    );
    const rowsOf = (field: string) =>
      made.map((_, at) => ({ Mail: `m${at}@example.com`, ...(field === 'Paid' ? { Paid: true } : { Total: at }) }));
    const [first, second] = await Promise.all([
      send({ updateExisting: true, matchField: 'email', rows: rowsOf('Paid') }),
      send({ updateExisting: true, matchField: 'email', rows: rowsOf('Total') }),
      ...made.map(({ body }) => ask('PATCH', `/api/objects/${body.id}`, { body: { attributes: { note: 'x' } } })),
    ]);
    for (const { body } of [first, second]) expect(body).toMatchObject({ created: 0, updated: 20, failed: 0 });
    const page = await get('/api/objects?pageSize=100&expansion=attributes&sortBy=attributes.total');
    expect(page.body.items.map(({ attributes }: { attributes: object }) => attributes)).toEqual(
      made.map((_, at) => ({ total: at, email: `m${at}@example.com`, paid: true, note: 'x' })),
    );
  });

  test.each(['email', 'name'])(
    'of imports that bring the same new values of %s at once, one makes each entity',
    async (matchField) => {
      const { send, rows } = await desk();
      const all = Array.from({ length: 200 }, (_, at) => ({ Order: `O${at}`, Total: at, Mail: `m${at}@example.com` }));
      const sent = { updateExisting: true, matchField };
      const answers = await Promise.all(
        [all, [...all].reverse(), all, all].map((each) => send({ ...sent, rows: each })),
      );
      const sum = (what: 'created' | 'updated' | 'failed') =>
        answers.reduce((total, { body }) => total + body[what], 0);
      expect([sum('created'), sum('updated'), sum('failed')]).toEqual([200, 600, 0]);
      expect(await rows()).toHaveLength(200);
    },
  );

  test('the template names the columns, and its row can be imported as it is', async () => {
    const { get, post, typeId } = await desk();
    const template = await get(`/api/objects/import/template/${typeId}`);
    expect(template).toMatchObject({
      status: 200,
      body: {
        headers: ['name', 'total', 'email', 'sku', 'tags', 'approvedBy', 'paid', 'note', 'customer'],
        sampleRow: { name: 'Sample Order', total: 1, email: 'someone@example.com', sku: 'AAA-0', customer: null },
      },
    });
    const { headers, sampleRow } = template.body;
    const columnMappings = Object.fromEntries(headers.map((name: string) => [name, name]));
    const answer = await post('/api/objects/import', { objectTypeId: typeId, columnMappings, rows: [sampleRow] });
    expect(answer.body).toMatchObject({ created: 1, failed: 0, errors: [] });
    const again = await post('/api/objects/import', { objectTypeId: typeId, rows: [sampleRow] });
    expect(again.body).toMatchObject({ created: 1, failed: 0 });
    expect((await get(`/api/objects/import/template/${v7()}`)).status).toBe(404);
  });
});

describe('columns of an import', () => {
  test('cells are read, and a template made, by all parts of a schema', async () => {
    const { post, get } = await orderDesk();
    const optional = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] });
    const thing = {
      type: 'object',
      required: ['name', 'size'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer' },
        weight: optional('number'),
        on: optional('boolean'),
      },
      additionalProperties: false,
    };
    const attributeSchema = { $ref: '#/$defs/thing', $defs: { thing } };
    const { id } = (await post('/api/object-types/upsert', { slug: 'thing', attributeSchema })).body;
    const { headers, sampleRow } = (await get(`/api/objects/import/template/${id}`)).body;
    expect(headers).toEqual(['name', 'attributes.name', 'size', 'weight', 'on']);
    const row = {
      name: 'A',
      'attributes.name': 'of the thing',
      size: '5',
      weight: '1.5',
      on: 'true',
      extensions: { a: 1 },
    };
    const answer = await post('/api/objects/import', { objectTypeId: id, rows: [sampleRow, row] });
    expect(answer.body).toMatchObject({ created: 2, errors: [] });
    const found = await get('/api/objects?objectTypeSlug=thing&search=A&sortBy=createdAt&expansion=attributes');
    expect(found.body.items.at(-1).attributes).toEqual({
      name: 'of the thing',
      size: 5,
      weight: 1.5,
      on: true,
      extensions: { a: 1 },
    });
  });

  test('an empty cell is nothing there, whatever the attribute takes', async () => {
    const { post, get, create } = await orderDesk();
    await create({ name: 'B', attributes: { total: 2, email: 'b@example.com', note: 'kept' } });
    const rows = ['A', 'B'].map((name) => ({
      name,
      total: '1',
      email: '',
      sku: '',
      tags: '',
      paid: '',
      note: '',
      customer: '',
    }));
    const sent = { objectTypeSlug: 'order', rows, updateExisting: true, matchField: 'name' };
    expect((await post('/api/objects/import', sent)).body).toMatchObject({ created: 1, updated: 1, errors: [] });
    const found = await get('/api/objects?sortBy=name&expansion=attributes');
    expect(found.body.items.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      { total: 1 },
      { total: 1, email: 'b@example.com', note: 'kept' },
    ]);
  });
});
