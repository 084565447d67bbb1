import { expect, test } from '@jest/globals';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { makeQueue } from '../setup/workspace/queue.ts';

test('the filter by priority takes every priority that an item can have', async () => {
  const queue = await makeQueue();
  const priorities = [2_147_483_647, 1_000_000_000, 0, -2_147_483_648];
  for (const priority of priorities) await queue.add({ priority });
  for (const priority of priorities) {
    const { body } = await queue.own('GET', `${queue.path}/items?filterBy=priority:${priority}`);
    expect(body.items.map((item: { priority: number }) => item.priority)).toEqual([priority]);
  }
  for (const wrong of ['2147483648', '-2147483649', '1.5', 'high', '99999999999999999999']) {
    const { status, body } = await queue.own('GET', `${queue.path}/items?filterBy=priority:${wrong}`);
    expect([wrong, status, body.code]).toEqual([wrong, 400, 'VALIDATION_FAILED']);
  }
});

test('an empty change of a deleted queue, and of its items, is refused as any other; without a deletion it is answered', async () => {
  const queue = await makeQueue();
  const item = `${queue.path}/items/${(await queue.add()).id}`;
  const empty = { body: {} };
  for (const method of ['PATCH', 'PUT'])
    for (const at of [queue.path, item]) expect((await queue.own(method, at, empty)).status).toBe(200);
  await queue.own('DELETE', queue.path);
  for (const method of ['PATCH', 'PUT'])
    for (const at of [queue.path, `${queue.path}?includeType=deleted`, item])
      expect(await queue.own(method, at, empty)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});

test('the time of processing is that of the try that ended the item, whatever is decided about it later', async () => {
  const queue = await makeQueue();
  const statsOf = async () => (await queue.own('GET', `${queue.path}/items/stats`)).body;

  const { id: waiting } = await queue.add();
  await queue.move(waiting, 'PROCESSING');
  await queue.move(waiting, 'RETRYING');
  await queue.move(waiting, 'CANCELLED');
  expect(await queue.read(waiting, 'createdAt')).toMatchObject({
    processingStartedAt: null,
    processingCompletedAt: expect.any(String),
  });
  // It was in nobody's hands between its error and its cancellation.
  expect((await statsOf()).averageProcessingMs).toBeNull();

  const { id: failed } = await queue.add();
  await queue.move(failed, 'PROCESSING');
  await queue.move(failed, 'FAILED');
  const { processingStartedAt, processingCompletedAt } = await queue.read(failed, 'createdAt');
  const { averageProcessingMs } = await statsOf();
  expect(averageProcessingMs).toBe(Date.parse(processingCompletedAt) - Date.parse(processingStartedAt));
  await queue.move(failed, 'CANCELLED');
  expect(await queue.read(failed, 'createdAt')).toMatchObject({ processingStartedAt, processingCompletedAt });
  expect((await statsOf()).averageProcessingMs).toBe(averageProcessingMs);
});

test('a change, a claim and a heartbeat take their defaults where they have no body', async () => {
  const queue = await makeQueue();
  const { id } = await queue.add({ priority: 1 });
  const item = `${queue.path}/items/${id}`;
  for (const method of ['PATCH', 'PUT'])
    for (const at of [queue.path, item])
      expect((await queue.own(method, at)).body).toEqual((await queue.own('GET', at)).body);
  const { body: claimed } = await queue.own('POST', `${queue.path}/items/claim`);
  expect(claimed).toMatchObject([{ id, status: 'PROCESSING', lease: { number: 1, worker: null } }]);
  expect(await queue.own('POST', `${item}/heartbeat`)).toMatchObject({
    status: 200,
    body: { id, lease: { number: 1 } },
  });
});

test('a creation answers an item, also where the item of its externalId is deleted meanwhile', async () => {
  const queue = await makeQueue();
  const create = () => queue.own('POST', `${queue.path}/items`, { body: { externalId: 'order-1', data: {} } });
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const deleting = (async () => {
    while (!isOver) {
      const { body } = await queue.own('GET', `${queue.path}/items`);
      await queue.own('DELETE', `${queue.path}/items/bulk`, {
        body: { itemIds: [queue.queueId, ...body.items.map(({ id }: { id: string }) => id)] },
      });
    }
  })();
  for (let round = 0; round < 40; round += 1) {
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    expect(answers.map(({ status, body }) => [status, body?.externalId])).toEqual(Array(8).fill([201, 'order-1']));
  }
  isOver = true;
  await deleting;
});
