import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { addItems, countsOf, itemsOf, makeQueue } from '../setup/database/queueRows.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, control, edges } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const database = stackDatabase();
const ITEM = { itemId: '{{ loop.item.id }}' };
const IN = { parentId: 'each' };
const UNTIL = '2126-11-21T10:15:30.000Z';

test('a workflow settles items by itself, and its other items end with it', async () => {
  const home = await makeHome();
  const queueId = await makeQueue(database, home, { maxRetries: 1, retryDelayMinutes: 60 });
  const ids = await addItems(
    database,
    home.workspaceId,
    queueId,
    ['complete', 'fail', 'postpone', 'leave'].map((how) => ({ data: { how } })),
  );
  const cases = ['complete', 'fail', 'postpone'].map((name) => ({ name, equals: name }));
  await home.deploy({
    trigger: { id: 'trigger', type: 'queue', config: { queueId } },
    nodes: [
      control('each', 'forEach', { items: '{{ trigger.items }}' }),
      control('how', 'switch', { value: '{{ loop.item.data.how }}', cases }, IN),
      action('done', 'queue.complete', ITEM, IN),
      action('wrong', 'queue.fail', { ...ITEM, message: 'No such order', code: 'GONE', details: { n: 1 } }, IN),
      action('later', 'queue.postpone', { ...ITEM, until: UNTIL }, IN),
    ],
    edges: edges('how:complete>done', 'how:fail>wrong', 'how:postpone>later'),
  });
  await poll(() => countsOf(database, queueId)).toEqual({ COMPLETED: 2, RETRYING: 1, PENDING: 1 });
  const [done, wrong, later, left] = await itemsOf(database, queueId);
  expect([done?.id, wrong?.id, later?.id, left?.id]).toEqual(ids);
  expect([done, wrong, later, left].map((item) => item?.status)).toEqual([
    'COMPLETED',
    'RETRYING',
    'PENDING',
    'COMPLETED',
  ]);
  expect(wrong).toMatchObject({ retryCount: 1, lastError: 'No such order' });
  expect(later).toMatchObject({ retryCount: 0, lastError: null });
  const rows = await database.queueItem.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  expect(rows[2]?.scheduledFor?.toISOString()).toBe(UNTIL);
  const errors = await database.queueItemError.findMany({ where: { workspaceId: home.workspaceId } });
  expect(errors).toMatchObject([
    { itemId: ids[1], code: 'GONE', details: { n: 1 }, attempt: 1, executionId: wrong?.lastExecutionId },
  ]);
});

test('an execution settles the items that it holds, and nothing else; it sees no other workspace', async () => {
  const home = await makeHome();
  const theirs = await makeHome();
  const queueId = await makeQueue(database, home, { isActive: false });
  const theirQueue = await makeQueue(database, theirs, { isActive: false });
  const [itemId = ''] = await addItems(database, home.workspaceId, queueId, [{}]);
  const [theirItem = ''] = await addItems(database, theirs.workspaceId, theirQueue, [{}]);
  const codeOf = async (what: string, inputs: Record<string, string>) =>
    (await home.run({ nodes: [action('a', `queue.${what}`, inputs)] })).executionPath[0].error?.code;
  expect(await codeOf('complete', { itemId })).toBe('INVALID_TRANSITION');
  expect(await codeOf('fail', { itemId, message: 'm' })).toBe('INVALID_TRANSITION');
  expect(await codeOf('postpone', { itemId, until: UNTIL })).toBe('INVALID_TRANSITION');
  expect(await codeOf('complete', { itemId: theirItem })).toBe('NOT_FOUND');
  expect(await codeOf('complete', { itemId: randomUUID() })).toBe('NOT_FOUND');
  expect(await codeOf('find', { queueId: theirQueue })).toBe('NOT_FOUND');
  expect(await codeOf('add', { queueId: theirQueue, data: 'x' })).toBe('NOT_FOUND');
  expect(await countsOf(database, queueId)).toEqual({ PENDING: 1 });
  expect(await countsOf(database, theirQueue)).toEqual({ PENDING: 1 });
});

test('items are added once by their externalId, updated where asked, and found', async () => {
  const home = await makeHome();
  const queueId = await makeQueue(database, home, { isActive: false });
  const add = (id: string, more: object) => action(id, 'queue.add', { queueId, externalId: 'o-1', ...more });
  const { executionPath, output } = await home.run({
    nodes: [
      add('first', { data: { n: 1 }, priority: 3 }),
      add('same', { data: { n: 2 } }),
      add('newer', { data: { n: 3 }, priority: 7, duplicates: 'update' }),
      action('none', 'queue.add', { queueId, data: 'any value', scheduledFor: UNTIL }),
      action('find', 'queue.find', { queueId, externalId: 'o-1', status: 'PENDING' }),
    ],
    edges: edges('first>same', 'same>newer', 'newer>none', 'none>find'),
  });
  const [first, same, newer, none] = executionPath.map((step: { output: object }) => step.output);
  expect(first).toMatchObject({ status: 'PENDING', isDuplicate: false });
  expect(same).toEqual({ ...first, isDuplicate: true });
  expect(newer).toEqual(same);
  expect(none.itemId).not.toBe(first.itemId);
  expect(output.items).toEqual([
    expect.objectContaining({ id: first.itemId, externalId: 'o-1', data: { n: 3 }, priority: 7, retryCount: 0 }),
  ]);
  expect(await countsOf(database, queueId)).toEqual({ PENDING: 2 });
});

test('an item names the entity that it is about, which must be there, and of the workspace', async () => {
  const home = await makeHome();
  const theirs = await makeHome();
  const entityOf = async ({ api }: typeof home, name: string) => {
    await api('POST', '/api/object-types/upsert', { body: { slug: 'order' } });
    return (await api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name } })).body.id as string;
  };
  const [objectId, gone, foreign] = [
    await entityOf(home, 'Order 1'),
    await entityOf(home, 'Order 2'),
    await entityOf(theirs, 'Order 3'),
  ];
  await home.api('DELETE', `/api/objects/${gone}`);
  const queueId = await makeQueue(database, home, { isActive: false });
  const add = async (entity: string) => {
    const inputs = { queueId, data: {}, objectId: entity };
    return (await home.run({ nodes: [action('a', 'queue.add', inputs)] })).executionPath[0];
  };
  const { output } = await add(objectId);
  for (const missing of [gone, foreign, randomUUID()]) {
    expect((await add(missing)).error).toMatchObject({ code: 'NOT_FOUND', message: `There is no entity ${missing}` });
  }
  expect((await add('order-1')).error.message).toContain('objectId');
  const { body } = await home.api('GET', `/api/objects/${objectId}/queue-items`);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([output.itemId]);
  expect(await countsOf(database, queueId)).toEqual({ PENDING: 1 });
});

test('an item that a workflow adds is read as documented: any value as data, and an externalId that its path takes', async () => {
  const home = await makeHome();
  const queueId = await makeQueue(database, home, { isActive: false });
  const values = [[1, 'two'], 3, 'four', false, { five: 5 }];
  const longest = '🎉'.repeat(200);
  const { executionPath, status } = await home.run({
    nodes: [
      control('each', 'forEach', { items: values }),
      action('value', 'queue.add', { queueId, data: '{{ loop.item }}' }, IN),
      action('long', 'queue.add', { queueId, data: {}, externalId: longest, priority: -1 }),
    ],
    edges: edges('each>long'),
  });
  expect([status, stepOf({ executionPath }, 'long').status]).toEqual(['COMPLETED', 'COMPLETED']);
  const { body } = await home.api('GET', `/api/queues/${queueId}/items`);
  expect(body.items.map(({ data }: { data: unknown }) => data)).toEqual([...values, {}]);
  const at = `/api/queues/${queueId}/items/external/${encodeURIComponent(longest)}`;
  expect((await home.api('GET', at)).body.externalId).toBe(longest);
  const tooLong = action('a', 'queue.add', { queueId, data: {}, externalId: `${longest}x` });
  const refused = await home.run({ nodes: [tooLong] });
  expect(stepOf(refused, 'a').error.code).toBe('INVALID_INPUT');
});
