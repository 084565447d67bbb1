import {
  ActivityCancellationType,
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Order, OrderTotal } from '../order.ts';
import type * as activities from './activities.ts';

// Hand-written counterparts of the product's workflows, without a database.

const { sumUp, double, doubleAll, stamp } = proxyLocalActivities<typeof activities>({
  startToCloseTimeout: '1 minute',
});

const remote = proxyActivities<typeof activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 10 },
});

export async function oneLocalActivity(order: Order): Promise<OrderTotal> {
  return sumUp(order);
}

export async function threeActivities(order: Order): Promise<Order> {
  const first = await remote.succeed(order);
  const second = await remote.succeed(first);
  return remote.succeed(second);
}

export async function nothing(): Promise<void> {}

export async function loopOfLocalActivities(items: number[]): Promise<number[]> {
  const outputs: number[] = [];
  for (const item of items) outputs.push(await double(item));
  return outputs;
}

export async function lanesOfActivities(items: number[], lanes: number): Promise<number[]> {
  const outputs: number[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      outputs[index] = await remote.succeed((items[index] as number) * 2);
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return outputs;
}

export async function activitiesInARow(count: number, ms: number): Promise<number> {
  let waited = 0;
  for (let index = 0; index < count; index += 1) waited += await remote.wait(ms);
  return waited;
}

/** Returns how late the sleep ended, in milliseconds. */
export async function sleepBetween(ms: number): Promise<number> {
  const before = await stamp();
  await sleep(ms);
  return (await stamp()) - before - ms;
}

export async function oneBatch(items: { number: number }[]): Promise<number[]> {
  return doubleAll(items);
}

export async function oneStamp(): Promise<number> {
  return remote.stamp();
}

const submitted = defineSignal('submitted');

export async function activityAfterSignal(): Promise<number> {
  let isSubmitted = false;
  setHandler(submitted, () => {
    isSubmitted = true;
  });
  await condition(() => isSubmitted);
  return remote.stamp();
}

export async function longActivities(count: number, ms: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => remote.wait(ms)));
}

export async function turnWithTools({ baseURL, question }: { baseURL: string; question: string }): Promise<string> {
  const messages: Parameters<typeof activities.askModel>[1] = [{ role: 'user', content: question }];
  for (;;) {
    const { content, calls } = await remote.askModel(baseURL, messages);
    if (calls.length === 0) return content;
    messages.push({ role: 'assistant', content, tool_calls: calls });
    const outputs = await Promise.all(calls.map((call) => remote.succeed(JSON.parse(call.function.arguments).output)));
    for (const [index, { id }] of calls.entries()) {
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(outputs[index]) });
    }
  }
}
