import { describe, expect, test } from '@jest/globals';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { makeQueue } from '../setup/workspace/queue.ts';

describe('requeue', () => {
  // The moves that remain for an ended item, or for one of a deleted queue.

  const once = { maxRetries: 0 };

  async function failed(queue: Awaited<ReturnType<typeof makeQueue>>, externalId?: string): Promise<string> {
    const { id } = await queue.add(externalId === undefined ? {} : { externalId });
    await queue.move(id, 'PROCESSING');
    await queue.own('POST', `${queue.path}/items/${id}/error`, { body: { error: 'away' } });
    expect((await queue.read(id)).status).toBe('FAILED');
    return id;
  }

  test('a FAILED or CANCELLED item begins again with all its retries, and its history says by whom', async () => {
    const queue = await makeQueue(once);
    const id = await failed(queue);
    expect((await queue.own('POST', `${queue.path}/items/${id}/retry`)).body.code).toBe('RETRY_NOT_ALLOWED');
    const requeued = await queue.own('POST', `${queue.path}/items/${id}/requeue?expansion=history`);
    expect([requeued.status, requeued.body]).toMatchObject([200, { status: 'PENDING', retryCount: 0 }]);
    expect(requeued.body.history.at(-1)).toMatchObject({ from: 'FAILED', to: 'PENDING', by: { type: 'apiKey' } });
    expect((await queue.own('GET', `${queue.path}/items/ready`)).body).toMatchObject([{ id }]);

    await queue.move(id, 'CANCELLED');
    expect((await queue.own('POST', `${queue.path}/items/${id}/requeue`)).body.status).toBe('PENDING');
    const again = await queue.own('POST', `${queue.path}/items/${id}/requeue`);
    expect([again.status, again.body.code]).toEqual([400, 'INVALID_TRANSITION']);
  });

  test('many at once, by ids or by a filter, and first as a count', async () => {
    const queue = await makeQueue(once);
    const [first = '', second = '', third = ''] = [
      await failed(queue, 'a'),
      await failed(queue, 'b'),
      await failed(queue, 'c'),
    ];
    const { id: waiting } = await queue.add();
    const requeue = (body: object) => queue.own('POST', `${queue.path}/items/bulk/requeue`, { body });
    expect((await requeue({ filterBy: 'status:FAILED', dryRun: true })).body).toEqual({ matched: 3, requeued: 0 });
    expect((await requeue({ itemIds: [first, waiting] })).body).toEqual({ matched: 1, requeued: 1 });
    expect((await requeue({ filterBy: 'externalId:b' })).body).toEqual({ matched: 1, requeued: 1 });
    expect((await queue.read(second)).status).toBe('PENDING');
    expect((await queue.read(third)).status).toBe('FAILED');
    expect((await requeue({ filterBy: 'nothing:x' })).status).toBe(400);
    expect((await requeue({})).status).toBe(400);
    expect((await requeue({ itemIds: [third], filterBy: 'status:FAILED' })).status).toBe(400);

    const stranger = await makeQueue();
    const theirs = await stranger.own('POST', `${stranger.path}/items/bulk/requeue`, { body: { itemIds: [third] } });
    expect(theirs.body).toEqual({ matched: 0, requeued: 0 });
  });

  test('the same end under the same lease is the same answer; another end, or another lease, is lost', async () => {
    const queue = await makeQueue(once);
    const { id } = await queue.add();
    const claim = () => queue.own('POST', `${queue.path}/items/claim`, { body: { leaseMs: 60_000, worker: 'desk-3' } });
    const lease = (await claim()).body[0].lease.number;
    expect((await queue.move(id, 'COMPLETED', { lease })).status).toBe(200);
    const repeated = await queue.move(id, 'COMPLETED', { lease });
    expect([repeated.status, repeated.body.status]).toEqual([200, 'COMPLETED']);
    expect((await queue.move(id, 'FAILED', { lease })).body.code).toBe('LEASE_LOST');
    expect((await queue.move(id, 'COMPLETED', { lease: lease + 1 })).body.code).toBe('LEASE_LOST');
    expect((await queue.read(id, 'history')).history).toMatchObject([
      { to: 'PROCESSING', worker: 'desk-3' },
      { to: 'COMPLETED', worker: 'desk-3' },
    ]);

    const { id: other } = await queue.add();
    const second = (await claim()).body[0].lease.number;
    const fail = () =>
      queue.own('POST', `${queue.path}/items/${other}/error`, { body: { error: 'away', lease: second } });
    expect((await fail()).status).toBe(201);
    const failedAgain = await fail();
    expect([failedAgain.status, failedAgain.body.status]).toEqual([201, 'FAILED']);
    expect((await queue.read(other, 'errorHistory')).errorHistory).toHaveLength(1);
  });

  test('an item that is taken by hand has a lease, and comes back when nobody ends it', async () => {
    const queue = await makeQueue({ retryDelayMinutes: 0 });
    const { id } = await queue.add();
    await queue.move(id, 'PROCESSING');
    const { lease } = await queue.read(id, 'lease');
    const minutes = (Date.parse(lease.expiresAt) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(15);
    expect((await queue.move(id, 'COMPLETED')).status).toBe(200);

    const { id: left } = await queue.add();
    expect((await queue.move(left, 'PROCESSING', { leaseMs: 1_000 })).status).toBe(200);
    const wrong = await queue.move(left, 'COMPLETED', { leaseMs: 1_000 });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ path: 'leaseMs' }]]);
    await poll(async () => (await queue.read(left, 'errorHistory')).errorHistory[0]?.code).toBe('LEASE_EXPIRED');
  });

  test('the holder of a live lease ends the item after the queue was deleted, and a restore does not do it again', async () => {
    const queue = await makeQueue();
    const { id } = await queue.add();
    const { id: unheld } = await queue.add();
    const lease = (await queue.own('POST', `${queue.path}/items/claim`, { body: { leaseMs: 60_000 } })).body[0].lease
      .number;
    expect((await queue.own('DELETE', queue.path)).status).toBe(200);
    expect((await queue.own('POST', `${queue.path}/items/${id}/heartbeat`, { body: { lease } })).status).toBe(200);
    expect((await queue.move(unheld, 'COMPLETED')).status).toBe(409);
    expect((await queue.move(id, 'COMPLETED', { lease: lease + 1 })).status).toBe(409);
    const ended = await queue.move(id, 'COMPLETED', { lease });
    expect([ended.status, ended.body.status]).toEqual([200, 'COMPLETED']);
    // Repeating the same end returns the same response; another end is rejected.
    expect(await queue.move(id, 'COMPLETED', { lease })).toMatchObject({ status: 200, body: ended.body });
    expect((await queue.move(id, 'FAILED', { lease })).status).toBe(409);
    expect((await queue.own('POST', `${queue.path}/items/${id}/requeue`)).status).toBe(409);
    await queue.own('POST', `${queue.path}/restore`);
    expect((await queue.read(id)).status).toBe('COMPLETED');
  });
});

describe('limits', () => {
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
    // Nobody processed it between its error and its cancellation.
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
});
