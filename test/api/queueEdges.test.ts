import { expect, test } from '@jest/globals';
import { makeQueue } from '../setup/queue.ts';

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
